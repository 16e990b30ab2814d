"""Detectors of income, charges and insurance."""

from __future__ import annotations

from deidgui.engine.detect.roles import Role, Topic
from deidgui.engine.detect.rules import (
    ANY_KIND,
    NUMBERS,
    WORDS_OR_CODES,
    Detector,
    ValueRule,
    matches,
    vocabulary,
)

DETECTORS: tuple[Detector, ...] = (
    Detector(
        Topic.INCOME,
        "income",
        Role.SENSITIVE,
        "because_sensitive",
        words="income",
        names=("income", "zipinc", "indhhin", "salary", "salary class", "wage",
               "wages", "earnings",
               "household income", "income quartile", "capital gain", "capital loss",
               "poverty", "imd", "credit score", "median income", "einkommen"),
        rules=(ValueRule("a band of income", 0.9, matches(
            r"^\$?(?:[<>]=?|over |under )\s*\$?\d{1,3}(?:,?\d{3}|[Kk])\.?$"),
            by_rows=True, least_share=0.5),),
        kinds=ANY_KIND,
    ),
    Detector(
        Topic.MONEY,
        "amount of money",
        Role.SENSITIVE,
        "because_money",
        words="money",
        names=("charge", "totchg", "total charge", "cost", "total cost", "payment",
               "amount",
               "paid", "paid amount", "price", "bill", "billing amount", "copay",
               "deductible", "reimbursement", "allowed amount", "expenditure",
               "expense", "expenses", "debt", "balance", "pay amount"),
        stems=("reimb", "medreimb", "benres", "pppymt", "pymt", "ddctbl", "coinsrnc"),
        rules=(ValueRule("an amount of money", 0.8, matches(
            r"^-?[$€£]\s?\d[\d,]*(?:\.\d{2})?$")),),
        kinds=NUMBERS,
    ),
    Detector(
        Topic.PAYOR,
        "insurance",
        Role.SENSITIVE,
        "because_payor",
        words="payor",
        names=("payor", "=pay", "payer", "payer code", "payor code", "insurance",
               "insurance type", "insurance plan", "insurance company", "coverage",
               "primary payer", "plan type", "health plan", "self pay", "uninsured",
               "medicaid eligible", "medicare status", "coverage month",
               "financial class", "line of business", "kostentrager",
               "source of payment"),
        rules=(ValueRule("a kind of insurance", 0.9, vocabulary(
            "medicare|medicaid|private|self pay|hmo|ppo|hmo or ppo|no charge|other|"
            "blue cross blue shield|other private insurance|private insurance|"
            "other government|workers compensation|worker s compensation|tricare|va|"
            "commercial|uninsured|government|not stated|champus|charity"),
            by_rows=True, least_share=0.8),),
        kinds=WORDS_OR_CODES,
    ),
)  # fmt: skip
