"""Visits of expressions."""

from ...graph.te import post_order_visit as post_order_visit
