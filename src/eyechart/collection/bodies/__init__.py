"""What surfaces of their own hand in, scenes and scene graphs: read, checked by the rules, made into rows."""
