"""Tables in, codes out: public domains, the encoder, labels, and readers of files."""

from privboost.data.attributes import Attribute, Boolean, Categorical, Numeric, Ordinal
from privboost.data.columns import feature_names
from privboost.data.datasets import StudyTable, load_table, read_header, read_table
from privboost.data.domain import Domain
from privboost.data.encoding import Encoder
from privboost.data.labels import check_classes, encode_labels, infer_classes
from privboost.data.layout import CodeLayout
from privboost.data.refinement import Refinement, refine_layout

__all__ = [
    "Attribute",
    "Boolean",
    "Categorical",
    "CodeLayout",
    "Domain",
    "Encoder",
    "Numeric",
    "Ordinal",
    "Refinement",
    "StudyTable",
    "check_classes",
    "encode_labels",
    "feature_names",
    "infer_classes",
    "load_table",
    "read_header",
    "read_table",
    "refine_layout",
]
