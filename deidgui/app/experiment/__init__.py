"""The paper's experiment on a user's file: both searches, their cost and charts."""
