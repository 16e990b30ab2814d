"""Which policies are no riskier than a rule?"""
