"""Bad input, tried by machine: what a person or a stranger may hand in, changed at random and led by what it covers.

``python -m fuzz [TARGET…] --seconds N`` needs atheris (fuzz/requirements.txt). The targets themselves need only the
program: tests/fuzz runs them on every case that was ever found, and on what hypothesis thinks of. docs/fuzzing.md.
"""
