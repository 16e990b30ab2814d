"""The pure engine: no Qt, never prints, never asks, never reads settings."""
