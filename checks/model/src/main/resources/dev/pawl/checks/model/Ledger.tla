------------------------------- MODULE Ledger -------------------------------
(* A row that is not a job: enrolled by anybody, sent by the owner of a job under its fence, answered by anybody who knows, settled by people. What is
   sent lands at a destination that does it, fails it or never hears of it, and whoever reads there tells it: late, twice, in any order, two of them at
   once, also after another generation has begun. Rows have nothing to do with one another, so there is one. *)
EXTENDS Integers, FiniteSets

CONSTANTS
    Senders,            \* who may own the job that sends
    Nobody,
    MostGenerations,
    MostTries,          \* attempts of one generation, so that the model ends
    MostSpent,          \* attempts that count
    FenceIsChecked,     \* FALSE: a mistake
    GenerationIsChecked,\* FALSE: a mistake
    FinishedStays       \* FALSE: a mistake, enrolling moves a row that is there

Generations == 1..MostGenerations
Numbers == 1..MostTries
Tries == Generations \X Numbers
States == {"NONE", "PENDING", "SUCCEEDED", "RETRYABLE", "PERMANENT"}
Known == {"NONE", "OPEN", "SUCCEEDED", "FAILED", "NEVER_SENT", "ABANDONED"}
Outside == {"NOTHING", "DONE", "FAILED"}

VARIABLES
    state, generation, made, spent, won,  \* the row
    known,      \* of each attempt, in the store
    outside,    \* what became of each attempt at the destination
    owner,      \* who owns the job
    believes,   \* who takes itself for the owner
    said,       \* a person gave the row its result
    duplicates  \* how often somebody was told that it was paid for twice

vars == <<state, generation, made, spent, won, known, outside, owner, believes, said, duplicates>>

TypeOK ==
    /\ state \in States
    /\ generation \in Generations
    /\ made \in 0..MostTries + 1
    /\ spent \in 0..MostTries + 1
    /\ won \in 0..MostTries + 1
    /\ known \in [Tries -> Known]
    /\ outside \in [Tries -> Outside]
    /\ owner \in Senders \union {Nobody}
    /\ believes \subseteq Senders
    /\ said \in BOOLEAN

Init ==
    /\ state = "NONE" /\ generation = 1 /\ made = 0 /\ spent = 0 /\ won = 0
    /\ known = [t \in Tries |-> "NONE"]
    /\ outside = [t \in Tries |-> "NOTHING"]
    /\ owner = Nobody /\ believes = {} /\ said = FALSE /\ duplicates = 0

Sendable == state \in {"PENDING", "RETRYABLE"}
OpenNow == {n \in Numbers : known[<<generation, n>>] = "OPEN"}

(* Somebody owns the job; whoever did does not know that yet. *)
Claim(s) ==
    /\ owner' = s /\ believes' = believes \union {s}
    /\ UNCHANGED <<state, generation, made, spent, won, known, outside, said, duplicates>>

EnrolRows(renewing) ==
    \/ /\ state = "NONE" /\ ~renewing
       /\ state' = "PENDING"
       /\ UNCHANGED <<generation, made, spent, won, said>>
    \/ /\ state # "NONE" /\ ~renewing /\ ~FinishedStays
       /\ state' = "PENDING" /\ won' = 0
       /\ UNCHANGED <<generation, made, spent, said>>
    \/ /\ state # "NONE" /\ renewing /\ generation < MostGenerations
       /\ generation' = generation + 1
       /\ state' = "PENDING" /\ made' = 0 /\ spent' = 0 /\ won' = 0 /\ said' = FALSE
EnrolRowsStep == \E renewing \in BOOLEAN : EnrolRows(renewing) /\ UNCHANGED <<known, outside, owner, believes, duplicates>>

SendRowsIfOwned(s) ==
    /\ s \in believes
    /\ FenceIsChecked => owner = s
    /\ Sendable /\ OpenNow = {} /\ made < MostTries /\ spent < MostSpent
    /\ made' = made + 1
    /\ known' = [known EXCEPT ![<<generation, made + 1>>] = "OPEN"]
    /\ UNCHANGED <<state, generation, spent, won, outside, owner, believes, said, duplicates>>

(* The destination does what was sent, or fails it; what was never sent it never hears of. It may be long after. *)
Land(t) ==
    /\ known[t] \in {"OPEN", "ABANDONED"} /\ outside[t] = "NOTHING"
    /\ outside' \in {[outside EXCEPT ![t] = "DONE"], [outside EXCEPT ![t] = "FAILED"]}
    /\ UNCHANGED <<state, generation, made, spent, won, known, owner, believes, said, duplicates>>

Settles(t) == ~GenerationIsChecked \/ t[1] = generation
Counts(t) == IF known[t] = "OPEN" /\ t[1] = generation THEN spent + 1 ELSE spent

Succeeded(t) ==
    /\ outside[t] = "DONE" /\ known[t] \notin {"NONE", "SUCCEEDED"}
    /\ known' = [known EXCEPT ![t] = "SUCCEEDED"]
    /\ spent' = Counts(t)
    /\ IF ~Settles(t) THEN UNCHANGED <<state, won, duplicates>>
       ELSE IF state = "SUCCEEDED" THEN duplicates' = duplicates + 1 /\ UNCHANGED <<state, won>>
       ELSE state' = "SUCCEEDED" /\ won' = t[2] /\ UNCHANGED duplicates
Failed(t) ==
    /\ outside[t] = "FAILED" /\ known[t] \in {"OPEN", "ABANDONED"}
    /\ known' = [known EXCEPT ![t] = "FAILED"]
    /\ spent' = Counts(t)
    /\ IF Settles(t) /\ Sendable /\ OpenNow \ {t[2]} = {}
       THEN state' \in {IF Counts(t) >= MostSpent THEN "PERMANENT" ELSE "RETRYABLE", "PERMANENT"}
       ELSE UNCHANGED state
    /\ UNCHANGED <<won, duplicates>>
NeverSent(t) ==
    /\ known[t] = "OPEN" /\ outside[t] = "NOTHING"
    /\ known' = [known EXCEPT ![t] = "NEVER_SENT"]
    /\ UNCHANGED <<state, spent, won, duplicates>>
Abandoned(t) ==
    /\ known[t] = "OPEN"
    /\ known' = [known EXCEPT ![t] = "ABANDONED"]
    /\ spent' = Counts(t)
    /\ state' = IF t[1] = generation /\ Sendable /\ Counts(t) >= MostSpent THEN "PERMANENT" ELSE state
    /\ UNCHANGED <<won, duplicates>>
ReconcileRows(t) ==
    /\ Succeeded(t) \/ Failed(t) \/ NeverSent(t) \/ Abandoned(t)
    /\ UNCHANGED <<generation, made, outside, owner, believes, said>>

SayOfRows ==
    /\ state # "NONE" /\ OpenNow = {}
    /\ \/ /\ state # "SUCCEEDED" /\ state' = "SUCCEEDED" /\ said' = TRUE /\ won' = MostTries + 1 /\ UNCHANGED spent
       \/ /\ Sendable /\ state' = "PERMANENT" /\ UNCHANGED <<said, won, spent>>
       \/ /\ state = "PERMANENT" /\ state' = "RETRYABLE" /\ spent' = 0 /\ UNCHANGED <<said, won>>
    /\ UNCHANGED <<generation, made, known, outside, owner, believes, duplicates>>

(* Sealing a part, what is noted of it, and pruning say nothing of where a row is in its life. *)
SealPartIfOwned == UNCHANGED vars
NotePart == UNCHANGED vars
PruneRows == UNCHANGED vars

Next ==
    \/ EnrolRowsStep
    \/ \E s \in Senders : Claim(s) \/ SendRowsIfOwned(s)
    \/ \E t \in Tries : Land(t) \/ ReconcileRows(t)
    \/ SayOfRows \/ SealPartIfOwned \/ NotePart \/ PruneRows

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* A row has one open attempt at the most. *)
OneOpen == Cardinality(OpenNow) <= 1
(* A row that succeeded has a result: of an attempt of this very generation, or a person's. *)
NothingMadeUp ==
    state = "SUCCEEDED" => said \/ (won \in Numbers /\ known[<<generation, won>>] = "SUCCEEDED" /\ outside[<<generation, won>>] = "DONE")
(* No more attempts count than may. *)
Bounded == spent <= MostSpent
(* Whatever was done more than once for one generation, and is known, was told. *)
DoneTwice(g) == Cardinality({n \in Numbers : known[<<g, n>>] = "SUCCEEDED"})
PaidTwiceIsTold == DoneTwice(generation) > 1 => duplicates > 0
(* A row that succeeded stays so, until it gets another payload. *)
SucceededStays == [][state = "SUCCEEDED" /\ generation' = generation => state' = "SUCCEEDED"]_vars
(* Who lost the job sends nothing: whoever may have opened an attempt owned it then. *)
OnlyOwnersSend == [][\A s \in Senders : SendRowsIfOwned(s) => owner = s]_vars
=============================================================================
