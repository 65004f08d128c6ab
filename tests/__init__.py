"""What is promised, and that it holds."""
