"""The keyword index: text to terms and weights, and two stores of postings."""
