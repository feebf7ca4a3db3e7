"""The shape of every JSON answer: one module an area, whose text for people is in `present/`."""
