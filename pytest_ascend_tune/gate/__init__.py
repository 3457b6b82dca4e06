"""Is it really slower? Come here to change how finalists are confirmed, compared and judged."""
