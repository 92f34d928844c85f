------------------------------ MODULE Explore ------------------------------
(* What the model checker is given beside the model: which contracts there are, what looks alike, and how far to go. *)
EXTENDS Pawl, TLC

AllContracts == {{"remembers"}, {"tells"}, {}}
Alike == Permutations(Workers) \union Permutations(Jobs)

Together[some \in SUBSET Jobs] ==
    IF some = {} THEN 0 ELSE LET j == CHOOSE j \in some : TRUE IN Len(tried[j]) + Together[some \ {j}]
NotTooMany == Together[Jobs] <= MostAttemptsTogether
=============================================================================
