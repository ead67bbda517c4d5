"""What every room shares: plain data, errors, time limits, a memory of the last pictures. Imports no other room."""
