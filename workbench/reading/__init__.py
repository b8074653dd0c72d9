"""Strip sets out of other people's files: what is guessed is said, what is open is refused."""
