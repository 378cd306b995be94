"""The checks, one file per theme; the catalogue lists them all."""
