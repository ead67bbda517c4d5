"""The words that every room shares: plain data and errors. Nothing here does anything or imports another room."""
