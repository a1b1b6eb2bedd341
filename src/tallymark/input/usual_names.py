"""How columns of labels, scores and predictions are usually named: in lower case, letters and digits only."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TRUTH = _words(
    """y ytrue truth true label labels target targets actual actuals groundtruth gt outcome class yactual
    trueclass truelabel actualclass actuallabel observed"""
)
SCORE = _words(
    """score scores yscore p prob probs proba probability probabilities yprob yproba ypredproba predproba
    predprob predictedprobability predictedscore risk riskscore predictedrisk confidence"""
)
KINDS = {"logit": "logit", "logits": "logit", "margin": "margin", "decisionfunction": "margin", "llr": "llr"}
PREDICTED = _words(
    """ypred pred preds prediction predictions predicted predictedlabel predictedclass predlabel predclass
    yhat"""
)
BEFORE = _words("p prob proba score probability pred predproba yscore yproba") | {""}  # before a label
NEGATIVE = _words("neg negative absent no not")
POSITIVE = (  # pairs of labels, the positive one first
    ("yes", "no"),
    ("positive", "negative"),
    ("pos", "neg"),
    ("present", "absent"),
    ("case", "control"),
)
NO_SCORES = _words("loss error err entropy uncertainty variance std pvalue threshold cutoff time")
PART = "{} may say which part of the data a row is of"
PARTS = _words("train training test testing val valid validation dev holdout")  # values of such columns
REFUSED = {  # columns that change what the rows mean: what is wrong, their names, the option for them
    "{} may be the weights of the cases": (
        _words("weight weights sampleweight caseweight w wt"),
        "--weight {}",
    ),
    "{} may say which model a row is of": (
        _words("model models modelname classifier algorithm system run runid seed epoch iteration"),
        "",
    ),
    "{} may say which fold of a cross-validation a row is of": (_words("fold foldid cvfold"), ""),
    PART: (_words("split subset partition dataset traintest"), ""),
}
GROUPS = _words("cluster group patient subject person user participant study session speaker customer")
NUMBERED = re.compile("(uid|id|no|nr|num|number|key|code)$")  # after the name of a group
