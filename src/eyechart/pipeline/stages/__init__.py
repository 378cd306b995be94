"""Every stage by name: the only places that both think and touch files."""

from eyechart.pipeline.stage import Stage
from eyechart.registry import Registry

__all__ = ["STAGES"]

STAGES: Registry[type[Stage]] = Registry(
    "stage",
    {
        "answers": "eyechart.pipeline.stages.list_answers:ListAnswers",
        "ask": "eyechart.pipeline.stages.ask:AskQuestions",
        "balance": "eyechart.pipeline.stages.balance:BalanceAnswers",
        "choices": "eyechart.pipeline.stages.choices:MakeChoices",
        "complement": "eyechart.pipeline.stages.complement:MakeComplements",
        "count": "eyechart.pipeline.stages.count_scenes:CountScenes",
        "decoys": "eyechart.pipeline.stages.decoys:MakeDecoys",
        "download": "eyechart.pipeline.stages.download:ImportTogether",
        "entail": "eyechart.pipeline.stages.entail:EntailQuestions",
        "fingerprint": "eyechart.pipeline.stages.fingerprint:FingerprintPictures",
        "gather": "eyechart.pipeline.stages.gather:GatherCollected",
        "generate": "eyechart.pipeline.stages.generate_scenes:GenerateScenes",
        "import": "eyechart.pipeline.stages.import_files:ImportFiles",
        "normalize": "eyechart.pipeline.stages.normalize_scenes:NormalizeScenes",
        "neighbours": "eyechart.pipeline.stages.neighbours:FindNeighbours",
        "offer": "eyechart.pipeline.stages.offer:OfferChoices",
        "render": "eyechart.pipeline.stages.render_scenes:RenderScenes",
        "survey": "eyechart.pipeline.stages.survey_scenes:SurveyScenes",
        "resplit": "eyechart.pipeline.stages.resplit:Resplit",
    },
)
"""Name to the class whose fields are the stage's configuration."""
