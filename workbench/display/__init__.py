"""What objects look like in a notebook: HTML of tables, strips and pictures, every text escaped."""
