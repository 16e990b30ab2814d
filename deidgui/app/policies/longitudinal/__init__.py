"""Policies for people of whom an adversary knows some events."""
