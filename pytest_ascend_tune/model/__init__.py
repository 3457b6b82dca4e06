"""The values that all rooms speak in. Come here to change a word, a unit or a protocol; nothing here measures."""
