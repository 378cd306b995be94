"""The tables about questions: what is asked, what people answered, which choices are offered."""

import polars as pl

from eyechart.tables.schema import Column, Reference, Table

STEP = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})

_QUESTION = Reference(("question_id",), "questions", ("question_id",))
_QUESTION_ID = Column("question_id", pl.String, "The question.", required=True)
_WORKER = Column("worker_id", pl.String, "Who gave it; a number within the question when the source is anonymous.")

QUESTIONS = Table(
    "questions",
    "One row per question about one image.",
    (
        Column("question_id", pl.String, "Id, unique in the benchmark.", required=True),
        Column("image_id", pl.String, "The image it is about."),
        Column("split", pl.String, "The part of the benchmark it belongs to, such as train, val or test."),
        Column("question", pl.String, "The text as asked."),
        Column("question_type", pl.String, "First words or another label of the kind of question."),
        Column("answer_type", pl.String, "Kind of answer, in VQA yes/no, number or other."),
        Column("answer", pl.String, "The one reference answer: the truth, or people's most frequent answer."),
        Column("answerable", pl.Boolean, "Whether the picture holds the answer; null where nobody has said."),
        Column("full_answer", pl.String, "The answer as a whole sentence."),
        Column("author_id", pl.String, "Who wrote the question."),
        Column("pattern", pl.String, "The pattern that made a generated question."),
        Column("program", pl.List(STEP), "The typed steps that compute the answer from the scene graph."),
        Column("group_global", pl.String, "Questions whose answers are balanced together over the whole set."),
        Column(
            "group_local",
            pl.String,
            "Questions whose answers are balanced together for one object or relation.",
        ),
        Column("structural", pl.String, "Structural type: query, verify, choose, logical or compare."),
        Column("semantic", pl.String, "Semantic type: obj, attr, cat, rel or global."),
        Column("detailed", pl.String, "Detailed type, one of about a hundred."),
        Column("balanced", pl.Boolean, "Whether the question is in the balanced subset."),
    ),
    key=("question_id",),
    references=(Reference(("image_id",), "images", ("image_id",)),),
)

ANSWERS = Table(
    "answers",
    "One row per answer that one person gave to one question.",
    (
        _QUESTION_ID,
        _WORKER,
        Column("answer", pl.String, "The answer as given.", required=True),
        Column("confidence", pl.String, "How sure the person was.", values=("yes", "maybe", "no")),
        Column(
            "shown",
            pl.String,
            "What the person saw: image, caption or nothing.",
            values=("image", "caption", "nothing"),
        ),
    ),
    key=("question_id", "worker_id", "shown"),
    references=(_QUESTION,),
)

CHOICES = Table(
    "choices",
    "One row per candidate answer of a multiple-choice question.",
    (
        _QUESTION_ID,
        Column("position", pl.Int32, "Place in the list that is shown, from 0.", required=True),
        Column("choice", pl.String, "The candidate answer.", required=True),
        Column("is_target", pl.Boolean, "Whether it is the right one; null where that is not published."),
        Column(
            "origin",
            pl.String,
            "Where it came from: target, human, plausible, popular, random, qou, iou, orig or valid.",
        ),
    ),
    key=("question_id", "position"),
    references=(_QUESTION,),
)

DECOYS = Table(
    "decoys",
    "One row per decoy that was made for a question, and how it was found.",
    (
        _QUESTION_ID,
        Column("kind", pl.String, "What it was made for: qou, iou or random.", required=True),
        Column("rank", pl.Int32, "1 for the first of its kind.", required=True),
        Column("decoy", pl.String, "The answer, as it is offered.", required=True),
        Column(
            "origin",
            pl.String,
            "Where it was found: its kind; or, where the kind was short, orig (the question's original decoys) or "
            "popular (the most frequent targets).",
            required=True,
        ),
        Column("source_id", pl.String, "The question whose target it is."),
        Column("similarity", pl.Float32, "Cosine of both questions."),
        Column("candidate", pl.Int32, "Which candidate it was, in the order of similarity or of the draw, from 1."),
        Column("wup", pl.Float32, "Wu-Palmer similarity to the target."),
        Column("filters", pl.String, "The filters that it passed."),
    ),
    key=("question_id", "kind", "rank"),
    references=(_QUESTION, Reference(("source_id",), "questions", ("question_id",))),
)

PAIRS = Table(
    "pairs",
    "One row per complementary pair: the same question about two similar images with different answers.",
    (
        _QUESTION_ID,
        Column("complement_id", pl.String, "The same question about the other image.", required=True),
        Column("origin", pl.String, "Who made the pair: people, or a command."),
        Column("rank", pl.Int32, "Which of the nearest images the other one is, from 1."),
        Column("change", pl.String, "What was changed in the picture, where the other image was made from this one."),
        Column("same_answer", pl.Boolean, "Whether both questions have the same answer after all."),
    ),
    key=("question_id", "complement_id"),
    references=(_QUESTION, Reference(("complement_id",), "questions", ("question_id",))),
)

UNPAIRED = Table(
    "unpaired",
    "One row per question for which no complementary image was found.",
    (
        _QUESTION_ID,
        Column("reason", pl.String, "Why not.", required=True),
        Column("worker_id", pl.String, "Who found that it is not possible; null for a command."),
    ),
    key=("question_id", "worker_id"),
    references=(_QUESTION,),
)

SPLITS = Table(
    "splits",
    "One row per question and scheme: further ways of dividing the questions beside their split.",
    (
        _QUESTION_ID,
        Column("scheme", pl.String, "The way of dividing, such as UB or head-tail.", required=True),
        Column("part", pl.String, "The part that the question belongs to, such as train, test or tail.", required=True),
    ),
    key=("question_id", "scheme"),
    references=(_QUESTION,),
)

MENTIONS = Table(
    "mentions",
    "One row per object that a question or its answer names: the grounding.",
    (
        _QUESTION_ID,
        Column("object_id", pl.String, "The object, an id within the question's image.", required=True),
        Column(
            "where",
            pl.String,
            "The text that names it.",
            required=True,
            values=("question", "answer", "full_answer"),
        ),
        Column("words", pl.String, "Which words: a position such as 4, or a range such as 4:6.", required=True),
    ),
    key=("question_id", "where", "words"),
    references=(_QUESTION,),
)

ENTAILMENTS = Table(
    "entailments",
    "One row per question whose answer follows from another question's answer.",
    (
        _QUESTION_ID,
        Column("entailed_id", pl.String, "The question whose answer follows.", required=True),
        Column("rule", pl.String, "Why it follows: a rule's name, or entailed and equivalent.", required=True),
    ),
    key=("question_id", "entailed_id", "rule"),
    references=(_QUESTION,),
)

JUDGEMENTS = Table(
    "judgements",
    "One row per person's judgement of a question.",
    (
        _QUESTION_ID,
        _WORKER,
        Column("needs_commonsense", pl.Boolean, "Whether answering needs common sense."),
        Column(
            "youngest_age",
            pl.String,
            "The youngest group that could answer.",
            values=("3-4", "5-8", "9-12", "13-17", "18+"),
        ),
    ),
    key=("question_id", "worker_id"),
    references=(_QUESTION,),
)

REFUSALS = Table(
    "refusals",
    "One row per reason why facts were not asked about, for each group of generated questions.",
    (
        Column("group", pl.String, "The group of questions.", required=True),
        Column(
            "reason",
            pl.String,
            "The guard or rule that refused; facts for all facts there were, asked for those that became questions.",
            required=True,
        ),
        Column("count", pl.Int64, "How many.", required=True),
    ),
    key=("group", "reason"),
)

COVERAGE = Table(
    "coverage",
    "One row per object, attribute, relation, pattern, wording or answer that generated questions use.",
    (
        Column(
            "what",
            pl.String,
            "What was counted.",
            required=True,
            values=("group", "pattern", "wording", "object", "attribute", "relation", "answer"),
        ),
        Column("name", pl.String, "Which one.", required=True),
        Column("count", pl.Int64, "In how many questions, or for words how often.", required=True),
    ),
    key=("what", "name"),
)
