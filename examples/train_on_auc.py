"""Does training on the AUC loss give a better AUC? A linear model, trained on it and on cross-entropy, on
made data.

Two settings: in the first the classes are two normal groups, for which cross-entropy is the right loss; in
the second a small clump of negatives lies far out among the positives. Each repetition draws training and
held-out data anew; both losses see the same. Needs PyTorch. Run from the project's folder: python
examples/train_on_auc.py
"""

import numpy as np
import torch
from scipy.stats import t

from tallymark import evaluate, losses

TRAINING, HELD_OUT, FEATURES, PREVALENCE, SEPARATION = 500, 4000, 4, 0.1, 1.2
SETTINGS = {"two normal groups": 0.0, "with 3 % of the negatives far out": 0.03}
CLUMP = [6.0, 6.0, 0.0, 0.0]
# on the square of the coefficients, for both: the AUC loss alone would let them grow without end
PENALTY = 0.001


def cross_entropy(truth, score):
    return losses.cross_entropy(truth=truth, score=score)


def auc_loss(truth, score):
    return losses.auc(truth=truth, score=torch.sigmoid(score))  # which bounds it


def draw(rng, cases, far_out):
    """Features and truth: positives are shifted along the first feature, some negatives along two, and less
    spread."""
    truth = rng.random(cases) < PREVALENCE
    features = rng.normal(size=(cases, FEATURES))
    features[truth, 0] += SEPARATION
    clump = ~truth & (rng.random(cases) < far_out)
    features[clump] = CLUMP + features[clump] / 2
    return torch.tensor(features), torch.tensor(truth)


def train(features, truth, loss):
    """The model's score as a function of the features."""
    coefficients = torch.zeros(FEATURES, dtype=features.dtype, requires_grad=True)
    constant = torch.zeros(1, dtype=features.dtype, requires_grad=True)
    optimiser = torch.optim.LBFGS([coefficients, constant], max_iter=100, line_search_fn="strong_wolfe")

    def step():
        optimiser.zero_grad()
        value = loss(truth, features @ coefficients + constant) + PENALTY * coefficients.square().sum()
        value.backward()
        return value

    optimiser.step(step)
    return lambda x: (x @ coefficients + constant).detach().numpy()


def compare(seed, far_out):
    """The AUC on held-out data after training on either loss: two estimates."""
    rng = np.random.default_rng(seed)
    training, (features, truth) = draw(rng, TRAINING, far_out), draw(rng, HELD_OUT, far_out)
    models = (train(*training, loss) for loss in (cross_entropy, auc_loss))
    return [evaluate(truth=truth.numpy(), score=model(features))["roc_auc"] for model in models]


def summary(differences):
    """Which loss was better, as far as these repetitions tell: Student's interval of the mean of their
    differences."""
    number, mean = len(differences), np.mean(differences)
    reach = t.ppf(0.975, number - 1) * np.std(differences, ddof=1) / np.sqrt(number)
    figures = f"{mean:+.4f} on average (95 % interval {mean - reach:+.4f} to {mean + reach:+.4f})"
    wins = f"a higher AUC in {sum(differences > 0)} of {number} repetitions"
    if abs(mean) <= reach:
        return f"Which loss is better cannot be told: the AUC loss gave {figures}, and {wins}."
    return f"The AUC loss was {'better' if mean > 0 else 'worse'} than cross-entropy: {figures}, and {wins}."


def main(repetitions=20):
    """Prints both AUCs of each repetition and the summary; gives the differences by setting."""
    found = {}
    for setting, far_out in SETTINGS.items():
        pairs = [compare(seed, far_out) for seed in range(repetitions)]
        found[setting] = np.array([by_auc.value - by_entropy.value for by_entropy, by_auc in pairs])
        print(f"{setting[0].upper()}{setting[1:]}: AUC on held-out data, with its 95 % interval")
        print("      cross-entropy            AUC loss                 difference")
        for estimates, difference in zip(pairs, found[setting], strict=True):
            shown = "   ".join(f"{one.value:.4f} ({one.low:.4f}-{one.high:.4f})" for one in estimates)
            print(f"      {shown}   {difference:+.4f}")
        print(f"{summary(found[setting])}\n")
    return found


if __name__ == "__main__":
    torch.set_num_threads(1)  # faster: the tables are small
    main()
