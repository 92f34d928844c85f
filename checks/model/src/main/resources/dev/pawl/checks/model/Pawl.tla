-------------------------------- MODULE Pawl --------------------------------
(***************************************************************************)
(* How Pawl keeps an effect from happening twice in silence. docs/model.md *)
(* tells it in words. Every action that changes the store is called like   *)
(* the Change in the code that does the same; what is not modelled of a    *)
(* change leaves everything as it is. The other actions are what workers,  *)
(* the network and people do outside the store.                            *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Workers,         \* numbers under which processes enlist, each used once
    Jobs,
    Places,          \* effects of a job
    Contracts,       \* subsets of {"remembers", "tells"}: the destination remembers keys; it can be asked
    Begins, Ends,    \* effects that begin something which goes on elsewhere, and those that end it there
    Nobody,
    MostAttempts, MostAttemptsTogether, MostResubmissions,  \* how far to look
    FirstOfJobs, FirstOfWorkers,                  \* "NONE" and "NEW"; or "READY" and "ENLISTED", to begin later
    Crashes, Zombies, Wishes,                     \* how many of these there are at most
    FenceIsChecked,  \* FALSE plants a mistake: anybody may write to a running job
    LookIsPatient,   \* FALSE plants a mistake: "did not happen" is believed at once
    DoubtIsChecked,  \* FALSE plants a mistake: an owner begins another attempt although an earlier one is in doubt
    LateIsTold,      \* FALSE plants a mistake: whoever sent late and heard nothing says nothing
    DebtIsChecked,   \* FALSE plants a mistake: a job that was called off ends although something that it began goes on
    RoomIsReported,  \* FALSE plants a mistake: a late one is reported only when another is known to have happened
    LifeMatters      \* FALSE when a trace of the code is replayed, which does not tell who is frozen

VARIABLES
    job,       \* of each job: its state, fence, owner, whether it was called off, which resubmission, how many things that
               \* it began it has to end, and whether a person gave up on one that could not be ended
    contract,  \* of each job and place
    tried,     \* of each job: its attempts, in order
    deeds,     \* of each job, place and resubmission: how often it happened outside
    worker,    \* of each worker: what the store knows of it, how it is, what it holds
    reported,  \* of each job: the effects of which a person was told that they happened twice
    left       \* how many crashes, zombies and wishes are left

vars == <<job, contract, tried, deeds, worker, reported, left>>

States == {"NONE", "READY", "RUNNING", "WAITING", "PAUSED", "DONE", "FAILED", "CANCELLED"}
Finished == {"DONE", "FAILED", "CANCELLED"}
Keys == Places \X (0..MostResubmissions)

NewJob == [state |-> FirstOfJobs, fence |-> 0, owner |-> Nobody, off |-> FALSE, run |-> 0, owes |-> 0, gaveUp |-> FALSE]
NewWorker == [at |-> FirstOfWorkers, life |-> "UP", watched |-> FALSE,
              holds |-> [j \in Jobs |-> 0]]

Init ==
    /\ job = [j \in Jobs |-> NewJob]
    /\ contract \in [Jobs -> [Places -> Contracts]]
    /\ \A j \in Jobs : \A p \in Ends : "remembers" \in contract[j][p]
    /\ tried = [j \in Jobs |-> <<>>]
    /\ deeds = [j \in Jobs |-> [k \in Keys |-> 0]]
    /\ worker = [w \in Workers |-> NewWorker]
    /\ reported = [j \in Jobs |-> {}]
    /\ left = [crashes |-> Crashes, zombies |-> Zombies, wishes |-> Wishes]

------------------------------------------------------------------------------
(* What is so. *)

Up(w) == LifeMatters => worker[w].life = "UP"
Key(j, p) == <<p, job[j].run>>
Attempts(j, k) == {i \in DOMAIN tried[j] : tried[j][i].key = k}
OpenOf(j, k) == {i \in Attempts(j, k) : tried[j][i].status = "OPEN"}
InDoubt(j) == \E i \in DOMAIN tried[j] : tried[j][i].status = "OPEN"
HasHappened(j, k) == \E i \in Attempts(j, k) : tried[j][i].status = "HAPPENED"

(* What the store asks of whoever writes as a job's owner. *)
Owns(w, j) ==
    /\ Up(w)
    /\ worker[w].holds[j] > 0
    /\ job[j].state = "RUNNING"
    /\ FenceIsChecked => worker[w].holds[j] = job[j].fence

(* Nobody will hear of it any more: its sender knows all that it will ever know, or died after it had sent late. *)
Over(a) == a.act \in {"OVER", "TOLD", "LOST"}

(* Its code is not in the midst of an act. *)
Idle(w, j) == LifeMatters => \A i \in DOMAIN tried[j] : tried[j][i].by = w => Over(tried[j][i])

(* Nothing that keeps to the attempt's deadline can land any more. Whoever was frozen after its last check does not keep to it. *)
Settled(j, i) ==
    LET a == tried[j][i] IN
    /\ a.net # "FLYING"
    /\ (a.act \in {"INTENDED", "CHECKED"} /\ LifeMatters) => worker[a.by].life # "UP"

(* Nothing goes on elsewhere that the job has not ended: it certainly never began, or was ended. *)
Ended(j, p) ==
    \/ ~HasHappened(j, Key(j, p)) /\ OpenOf(j, Key(j, p)) = {}
    \/ \A e \in Ends : HasHappened(j, Key(j, e))

(* How many things more an owner's change says that the job owes: what has ended is owed no more. *)
Fewer(j) == IF job[j].owes > 0 /\ \A p \in Begins : Ended(j, p) THEN {0, -1} ELSE {0}

(* Something that it began has to be ended before the job ends. *)
Owes(j) == DebtIsChecked /\ job[j].owes > 0

OwnsAny(w) == \E j \in Jobs : job[j].state = "RUNNING" /\ job[j].owner = w

(* Somebody wants something that would go on for ever if there were no end to it. *)
Wish == left.wishes > 0 /\ left' = [left EXCEPT !.wishes = @ - 1]

(* The job goes to another state, and whoever owned it no longer does. *)
Moved(j, state) == [job[j] EXCEPT !.state = state, !.fence = @ + 1, !.owner = Nobody]
Move(j, state) == job' = [job EXCEPT ![j] = Moved(j, state)]
LetGo(w, j) == worker' = [worker EXCEPT ![w].holds[j] = 0]
Same(some) == UNCHANGED some

------------------------------------------------------------------------------
(* Workers come, beat and go. *)

Enlist(w) ==
    /\ worker[w].at = "NEW" /\ Up(w)
    /\ worker' = [worker EXCEPT ![w].at = "ENLISTED"]
    /\ UNCHANGED <<job, contract, tried, deeds, reported, left>>

Beat(w) ==
    /\ worker[w].at = "ENLISTED" /\ Up(w)
    /\ worker' = [worker EXCEPT ![w].watched = FALSE]
    /\ UNCHANGED <<job, contract, tried, deeds, reported, left>>

(* Somebody has seen the same beat for longer than the term. Only a worker that stands still beats no more. *)
Watch(w) ==
    /\ worker[w].at = "ENLISTED" /\ worker[w].life = "FROZEN" /\ ~worker[w].watched
    /\ worker' = [worker EXCEPT ![w].watched = TRUE]
    /\ UNCHANGED <<job, contract, tried, deeds, reported, left>>

(* A worker whose process is known to be gone, or whose beat is still the one that was watched, is declared dead: it neither beats nor claims any more. *)
(* Its jobs can be claimed again, some of them at once and the others by and by: whoever comes next goes on, and it is listed until the last of them.   *)
(* A job that was alone with three workers when they died is struck: it fails, or asks if it is in doubt.                                      *)
TakeOver(w, struck, some) ==
    LET owned == {j \in Jobs : job[j].state = "RUNNING" /\ job[j].owner = w} IN
    /\ \/ worker[w].at = "ENLISTED" /\ (LifeMatters => worker[w].watched \/ worker[w].life = "DEAD")
       \/ worker[w].at = "DYING"
    /\ some \subseteq owned /\ (some = {} => owned = {})
    /\ worker' = [worker EXCEPT ![w].at = IF some = owned THEN "GONE" ELSE "DYING"]
    /\ job' = [j \in Jobs |->
                 IF j \notin some THEN job[j]
                 ELSE Moved(j, IF j \notin struck THEN "READY" ELSE IF InDoubt(j) THEN "PAUSED" ELSE "FAILED")]
    /\ UNCHANGED <<contract, tried, deeds, reported, left>>

Retire(w) ==
    /\ worker[w].at = "ENLISTED" /\ Up(w) /\ Wish
    /\ ~OwnsAny(w)
    /\ worker' = [worker EXCEPT ![w].at = "GONE"]
    /\ UNCHANGED <<job, contract, tried, deeds, reported>>

Claim(w, j) ==
    /\ worker[w].at = "ENLISTED" /\ Up(w)
    /\ job[j].state \in {"READY", "WAITING", "PAUSED"}
    /\ job' = [job EXCEPT ![j].state = "RUNNING", ![j].fence = @ + 1, ![j].owner = w]
    /\ worker' = [worker EXCEPT ![w].holds[j] = job[j].fence + 1]
    /\ UNCHANGED <<contract, tried, deeds, reported, left>>

------------------------------------------------------------------------------
(* What an owner writes. *)

(* Whatever an owner writes may say that something more, or less, is owed. *)
RecordStepIfOwned(w, j, more) ==
    /\ Owns(w, j)
    /\ job' = [job EXCEPT ![j].owes = @ + more]
    /\ UNCHANGED <<contract, tried, deeds, worker, reported, left>>
KeepArtifactIfOwned(w, j, more) == RecordStepIfOwned(w, j, more)
PassGateIfOwned(w, j) == RecordStepIfOwned(w, j, 0)

CallIfOwned(w, j, child, more) ==
    /\ Owns(w, j) /\ ~job[j].off
    /\ job[child].state = "NONE"
    /\ job' = [job EXCEPT ![child].state = "READY", ![j].owes = @ + more]
    /\ UNCHANGED <<contract, tried, deeds, worker, reported, left>>

(* The intent to act is in the store before anything is sent. While an attempt is in doubt, another is begun only where keys are remembered; the  *)
(* store itself sees to it, because one that was settled can be in doubt again without its owner's knowledge.                                *)
(* A job that was called off intends nothing but what ends something that goes on elsewhere, or asks once more, with the same key, what to end. *)
IntendEffectIfOwned(w, j, p, pays, more) ==
    LET k == Key(j, p) IN
    /\ Owns(w, j) /\ Idle(w, j) /\ (job[j].off => pays)
    /\ pays => job[j].owes > 0
    /\ ~HasHappened(j, k)
    /\ OpenOf(j, k) = {} \/ "remembers" \in contract[j][p] \/ ~DoubtIsChecked
    /\ Len(tried[j]) < MostAttempts
    /\ tried' = [tried EXCEPT ![j] = Append(@,
           [key |-> k, by |-> w, fence |-> worker[w].holds[j], status |-> "OPEN", act |-> "INTENDED", net |-> "UNSENT",
            late |-> FALSE])]
    /\ job' = [job EXCEPT ![j].owes = @ + more]
    /\ UNCHANGED <<contract, deeds, worker, reported, left>>

(* The owner leaves the job in one of these states, or ends it when it was called off, is not in doubt and owes nothing. *)
Leave(w, j, state, states, more) ==
    /\ Owns(w, j) /\ Idle(w, j)
    /\ state \in states \/ (state = "CANCELLED" /\ job[j].off /\ ~InDoubt(j) /\ ~(DebtIsChecked /\ job[j].owes + more > 0))
    /\ job' = [job EXCEPT ![j] = [Moved(j, state) EXCEPT !.owes = @ + more]] /\ LetGo(w, j)
    /\ UNCHANGED <<contract, tried, deeds, reported, left>>

ReleaseJob(w, j, state, more) == Leave(w, j, state, {"READY", "WAITING"}, more)
WaitAtGateIfOwned(w, j, state, more) == Leave(w, j, state, {"READY", "WAITING"}, more)

(* Somebody must say whether it happened; READY when an answer came just before. *)
Ask(w, j, state, more) == Leave(w, j, state, {"PAUSED", "READY"}, more)

(* One that failed has left what goes on elsewhere, and says so. *)
FinishJob(w, j, state, more) ==
    /\ Owns(w, j) /\ Idle(w, j) /\ ~InDoubt(j)
    /\ (state = "DONE" /\ LifeMatters) => \A p \in Places \ Ends : HasHappened(j, Key(j, p))
    /\ state = "CANCELLED" => job[j].off
    /\ state # "FAILED" => ~(DebtIsChecked /\ job[j].owes + more > 0)
    /\ job' = [job EXCEPT ![j] = [Moved(j, state) EXCEPT !.owes = @ + more]] /\ LetGo(w, j)
    /\ UNCHANGED <<contract, tried, deeds, reported, left>>

------------------------------------------------------------------------------
(* An act, from its last check to its answer. *)

(* The lease is safely ours: the store still knows us, and we are not frozen. *)
Check(j, i) ==
    LET a == tried[j][i] IN
    /\ a.act = "INTENDED" /\ Up(a.by) /\ worker[a.by].at = "ENLISTED"
    /\ tried' = [tried EXCEPT ![j][i].act = "CHECKED"]
    /\ UNCHANGED <<job, contract, deeds, worker, reported, left>>

(* It is not: nothing is sent. *)
Stop(j, i) ==
    LET a == tried[j][i] IN
    /\ a.act = "INTENDED" /\ Up(a.by) /\ worker[a.by].at \in {"DYING", "GONE"}
    /\ tried' = [tried EXCEPT ![j][i].act = "OVER"]
    /\ UNCHANGED <<job, contract, deeds, worker, reported, left>>

Send(j, i) ==
    LET a == tried[j][i] IN
    /\ a.act = "CHECKED" \/ (a.act = "INTENDED" /\ ~LifeMatters)
    /\ Up(a.by)
    /\ tried' = [tried EXCEPT ![j][i].act = "SENT", ![j][i].net = "FLYING", ![j][i].late = a.status # "OPEN"]
    /\ UNCHANGED <<job, contract, deeds, worker, reported, left>>

Land(j, i) ==
    LET a == tried[j][i]
        k == a.key
        again == "remembers" \in contract[j][k[1]] /\ deeds[j][k] > 0
    IN
    /\ a.net = "FLYING"
    /\ tried' = [tried EXCEPT ![j][i].net = "LANDED"]
    /\ deeds' = IF again THEN deeds ELSE [deeds EXCEPT ![j][k] = @ + 1]
    /\ UNCHANGED <<job, contract, worker, reported, left>>

Vanish(j, i) ==
    /\ tried[j][i].net = "FLYING"
    /\ tried' = [tried EXCEPT ![j][i].net = "GONE"]
    /\ UNCHANGED <<job, contract, deeds, worker, reported, left>>

(* The sender waits no longer. Whether it got an error or nothing at all, it does not know what happened. If it sent late, it says so: AnswerAttempt. *)
GiveUp(j, i) ==
    LET a == tried[j][i] IN
    /\ a.act = "SENT" /\ Up(a.by)
    /\ a.late /\ a.status \in {"NOT", "SETTLED"} => ~LateIsTold
    /\ tried' = [tried EXCEPT ![j][i].act = "OVER"]
    /\ UNCHANGED <<job, contract, deeds, worker, reported, left>>

(* The attempts of job j after one of them was answered. Once one has happened, the others under its key no longer matter. *)
Answered(j, i, status) == [n \in DOMAIN tried[j] |->
    LET a == tried[j][n] IN
    IF n = i THEN [a EXCEPT !.status = status]
    ELSE IF status = "HAPPENED" /\ a.key = tried[j][i].key /\ a.status = "OPEN" THEN [a EXCEPT !.status = "SETTLED"]
    ELSE a]

(* An attempt that was sent late is in doubt again where nothing was done since, and whoever looks next will know of it. *)
LooksAgain(j, i) ==
    LET a == tried[j][i] IN
    /\ a.status = "NOT"
    /\ {n \in Attempts(j, a.key) \ {i} : tried[j][n].status \in {"OPEN", "HAPPENED"}} = {}
    /\ job[j].state \notin Finished /\ a.key[2] = job[j].run
    /\ job[j].state = "RUNNING" => a.fence = job[j].fence

(* A job that asks goes on when nothing is in doubt any more. *)
GoesOn(j, attempts) == job[j].state = "PAUSED" /\ \A i \in DOMAIN attempts : attempts[i].status # "OPEN"

(* An answer is a fact and needs no fence: the reply that the sender got, that it sent nothing, or what the destination says when it is asked. *)
(* "OPEN" and "LATE" are said by a sender that sent late and heard nothing: the attempt is in doubt again, or a person is told. Whoever asked      *)
(* before that was known asks anew.                                                                                                              *)
AnswerAttempt(j, i, status, goesOn) ==
    LET a == tried[j][i]
        k == a.key
        another == \E n \in Attempts(j, k) \ {i} : tried[j][n].status = "HAPPENED"
        (* It was taken for not happened, and made room for one of which nobody knows. *)
        madeRoom == RoomIsReported /\ a.status = "NOT" /\ OpenOf(j, k) \ {i} # {}
        byReply == a.act = "SENT" /\ a.net = "LANDED" /\ Up(a.by) /\ status = "HAPPENED"
        (* Or, where a trace of the code is replayed, by a person who said earlier that it is to be tried again. *)
        byRefusal == (a.act \in {"INTENDED", "CHECKED"} \/ ~LifeMatters) /\ Up(a.by) /\ status = "NOT"
        byLook ==
            /\ "tells" \in contract[j][k[1]]
            /\ a.status = "OPEN"
            /\ IF deeds[j][k] > 0 THEN status = "HAPPENED"
               ELSE status = "NOT" /\ (LookIsPatient => Settled(j, i))
        byOverrun ==
            /\ LifeMatters => a.act = "SENT" /\ a.late /\ Up(a.by)
            /\ \/ status = "OPEN" /\ (LooksAgain(j, i) \/ (a.status = "OPEN" /\ ~LifeMatters))
               \/ /\ status = "LATE" /\ (LifeMatters => ~LooksAgain(j, i))
                  /\ a.status \in {"NOT", "SETTLED"} \/ (a.status = "OPEN" /\ ~LifeMatters)
        after == IF status = "LATE" THEN a.status ELSE status
    IN
    /\ a.status # "HAPPENED"
    /\ byReply \/ byRefusal \/ byLook \/ byOverrun
    /\ tried' = [tried EXCEPT ![j] = [Answered(j, i, after) EXCEPT ![i].act =
           (* A replay does not tell who said so: whoever only looked knows nothing of the sender, who may be frozen and send yet. *)
           IF byReply \/ byOverrun THEN "TOLD" ELSE IF byRefusal /\ LifeMatters THEN "OVER" ELSE @]]
    /\ goesOn => job[j].state \in {"PAUSED", "WAITING"}
    /\ job' = IF goesOn
              THEN [job EXCEPT ![j] = Moved(j, IF job[j].off /\ \A n \in DOMAIN tried[j] : Answered(j, i, after)[n].status # "OPEN"
                                                  /\ ~Owes(j)
                                               THEN "CANCELLED" ELSE "READY")]
              ELSE job
    /\ reported' = IF (status = "LATE" \/ (byReply /\ (another \/ madeRoom))) /\ "remembers" \notin contract[j][k[1]]
                   THEN [reported EXCEPT ![j] = @ \union {k}] ELSE reported
    /\ UNCHANGED <<contract, deeds, worker, left>>

------------------------------------------------------------------------------
(* What people and programs ask for. *)

SubmitJob(j) ==
    /\ job[j].state = "NONE"
    /\ job' = [job EXCEPT ![j].state = "READY"]
    /\ UNCHANGED <<contract, tried, deeds, worker, reported, left>>

(* A person who has looked says what happened to each attempt in doubt. *)
Truth(j) == [i \in DOMAIN tried[j] |->
    IF tried[j][i].status # "OPEN" THEN "KEPT"
    ELSE IF deeds[j][tried[j][i].key] > 0 THEN "HAPPENED" ELSE "NOT"]
Said(j, said) == [i \in DOMAIN tried[j] |->
    IF said[i] = "KEPT" THEN tried[j][i] ELSE [tried[j][i] EXCEPT !.status = said[i]]]

Decide(j, said, state) ==
    /\ job[j].state = "PAUSED" \/ (job[j].state = "RUNNING" /\ ~LifeMatters)
    /\ LifeMatters => \A i \in DOMAIN tried[j] : said[i] = "NOT" => Settled(j, i)
    /\ tried' = [tried EXCEPT ![j] = Said(j, said)]
    /\ state \in {"READY", "CANCELLED"} => Move(j, state)
    /\ state \notin {"READY", "CANCELLED"} => UNCHANGED job
    /\ UNCHANGED <<contract, deeds, worker, reported, left>>

Decides(j) == Decide(j, Truth(j), IF job[j].off /\ ~Owes(j) THEN "CANCELLED" ELSE "READY")

Deliver(j) ==
    /\ Wish
    /\ IF job[j].state = "WAITING" THEN Move(j, "READY") ELSE UNCHANGED job
    /\ UNCHANGED <<contract, tried, deeds, worker, reported>>

(* A job that runs is told; one that asks about something in doubt goes on asking; any other ends, or asks what became of what is in *)
(* doubt. One that owes is taken once more and ends first what it began.                                                                      *)
CancelJob(j, moves) ==
    /\ Wish
    /\ job[j].state \in {"READY", "RUNNING", "WAITING", "PAUSED"} /\ ~job[j].off
    /\ ~moves => job[j].state = "RUNNING" \/ (job[j].state = "PAUSED" /\ InDoubt(j))
    /\ moves => job[j].state # "RUNNING"
    /\ job' = [job EXCEPT ![j] =
                 IF ~moves THEN [@ EXCEPT !.off = TRUE]
                 ELSE [Moved(j, IF Owes(j) THEN "READY" ELSE IF InDoubt(j) THEN "PAUSED" ELSE "CANCELLED") EXCEPT !.off = TRUE]]
    /\ UNCHANGED <<contract, tried, deeds, worker, reported>>

(* What a person had put aside is in doubt again. *)
RetryJob(j, said) ==
    /\ Wish
    /\ job[j].state = "FAILED"
    /\ job' = [job EXCEPT ![j] = [Moved(j, "READY") EXCEPT !.off = @ /\ job[j].owes > 0]]
    /\ tried' = [tried EXCEPT ![j] = Said(j, said)]
    /\ UNCHANGED <<contract, deeds, worker, reported>>

(* One that left something going on ends that first. What could not be ended is given up with it. *)
DiscardJob(j, gives) ==
    /\ Wish
    /\ job[j].state = "FAILED"
    /\ gives => (LifeMatters => \E p \in Ends : Attempts(j, Key(j, p)) # {})
    /\ job' = [job EXCEPT ![j] = IF Owes(j) /\ ~gives
                               THEN [Moved(j, "READY") EXCEPT !.off = TRUE]
                               ELSE [Moved(j, "CANCELLED") EXCEPT !.owes = 0, !.gaveUp = job[j].owes > 0]]
    /\ UNCHANGED <<contract, tried, deeds, worker, reported>>

(* Done again with new keys: a person wants it twice. *)
ResubmitJob(j) ==
    /\ Wish
    /\ job[j].state \in Finished /\ job[j].run < MostResubmissions /\ ~Owes(j)
    /\ job' = [job EXCEPT ![j] = [Moved(j, "READY") EXCEPT !.off = FALSE, !.run = @ + 1, !.gaveUp = FALSE]]
    /\ UNCHANGED <<contract, tried, deeds, worker, reported>>

OpenGate(j) ==
    /\ job[j].state = "WAITING"
    /\ Move(j, "READY")
    /\ UNCHANGED <<contract, tried, deeds, worker, reported, left>>

LimitQueue == UNCHANGED vars

(* What is left of a change to other jobs than its own is done to each of them by CancelJob, Deliver or OpenGate, in whatever order. *)
GoOn == UNCHANGED vars
PruneJobs == UNCHANGED vars

------------------------------------------------------------------------------
(* What befalls processes. *)

(* Its threads never go on, and its memory is gone. What it sent still flies. *)
Crash(w) ==
    /\ worker[w].life # "DEAD" /\ worker[w].at = "ENLISTED" /\ left.crashes > 0
    /\ left' = [left EXCEPT !.crashes = @ - 1]
    /\ worker' = [worker EXCEPT ![w].life = "DEAD", ![w].holds = [j \in Jobs |-> 0]]
    /\ tried' = [j \in Jobs |-> [i \in DOMAIN tried[j] |->
                    IF tried[j][i].by # w THEN tried[j][i]
                    ELSE [tried[j][i] EXCEPT !.act = IF tried[j][i].late /\ @ = "SENT" THEN "LOST" ELSE "OVER"]]]
    /\ UNCHANGED <<job, contract, deeds, reported>>

Freeze(w) ==
    /\ worker[w].life = "UP" /\ worker[w].at = "ENLISTED" /\ left.zombies > 0
    /\ left' = [left EXCEPT !.zombies = @ - 1]
    /\ worker' = [worker EXCEPT ![w].life = "FROZEN"]
    /\ UNCHANGED <<job, contract, tried, deeds, reported>>

Thaw(w) ==
    /\ worker[w].life = "FROZEN"
    /\ worker' = [worker EXCEPT ![w].life = "UP"]
    /\ UNCHANGED <<job, contract, tried, deeds, reported, left>>

------------------------------------------------------------------------------

Attempt(j) == \E i \in DOMAIN tried[j] :
    \/ Check(j, i) \/ Stop(j, i) \/ Send(j, i) \/ Land(j, i) \/ Vanish(j, i) \/ GiveUp(j, i)
    \/ \E status \in {"HAPPENED", "NOT"} : AnswerAttempt(j, i, status, GoesOn(j, Answered(j, i, status)))
    \/ LateIsTold /\ \E status \in {"OPEN", "LATE"} : AnswerAttempt(j, i, status, status = "OPEN" /\ job[j].state = "PAUSED")

(* What begins something is owed its end from its first attempt on; its end comes once it is known to have begun. *)
Intends(w, j, p) ==
    LET ends == p \in Ends
        asksAgain == job[j].owes > 0 /\ p \in Begins /\ OpenOf(j, Key(j, p)) # {} /\ "remembers" \in contract[j][p]
    IN
    /\ ends => job[j].owes > 0 /\ \A b \in Begins : HasHappened(j, Key(j, b))
    /\ IntendEffectIfOwned(w, j, p, ends \/ (job[j].off /\ asksAgain), IF p \in Begins /\ job[j].owes = 0 THEN 1 ELSE 0)

Owner(w, j) ==
    \/ \E child \in Jobs : CallIfOwned(w, j, child, 0)
    \/ \E p \in Places : Intends(w, j, p)
    \/ ReleaseJob(w, j, "READY", 0) \/ WaitAtGateIfOwned(w, j, "WAITING", 0)
    \/ InDoubt(j) /\ Ask(w, j, "PAUSED", 0)
    \/ \E more \in Fewer(j) :
        \/ \E state \in Finished : FinishJob(w, j, state, more)
        \/ more # 0 /\ RecordStepIfOwned(w, j, more)

Person(j) ==
    \/ SubmitJob(j) \/ Decides(j) \/ Deliver(j) \/ \E moves \in BOOLEAN : CancelJob(j, moves)
    \/ RetryJob(j, [i \in DOMAIN tried[j] |-> "KEPT"])
    \/ (\E gives \in BOOLEAN : DiscardJob(j, gives)) \/ ResubmitJob(j) \/ OpenGate(j)

Worker(w) ==
    \/ Enlist(w) \/ Beat(w) \/ Watch(w) \/ (\E some \in SUBSET Jobs : TakeOver(w, {}, some)) \/ Retire(w) \/ Crash(w) \/ Freeze(w) \/ Thaw(w)

Next ==
    \/ \E w \in Workers : Worker(w)
    \/ \E w \in Workers, j \in Jobs : (job[j].state # "PAUSED" /\ Claim(w, j)) \/ Owner(w, j)
    \/ \E j \in Jobs : Attempt(j) \/ Person(j)

(* Changes of which nothing is modelled but who may make them. They are no part of Next, which may stutter anyway. *)
Stutter ==
    \/ \E w \in Workers, j \in Jobs : RecordStepIfOwned(w, j, 0) \/ KeepArtifactIfOwned(w, j, 0) \/ PassGateIfOwned(w, j)
    \/ LimitQueue \/ PruneJobs \/ GoOn

Spec == Init /\ [][Next]_vars

------------------------------------------------------------------------------
(* What is promised. *)

TypeOK ==
    \A j \in Jobs :
        /\ job[j].state \in States
        /\ job[j].owner \in Workers \union {Nobody}
        /\ job[j].owes >= 0
        /\ \A i \in DOMAIN tried[j] :
            /\ tried[j][i].status \in {"OPEN", "HAPPENED", "NOT", "WAIVED", "SETTLED"}
            /\ tried[j][i].act \in {"INTENDED", "CHECKED", "SENT", "TOLD", "OVER", "LOST"}
            /\ tried[j][i].net \in {"UNSENT", "FLYING", "LANDED", "GONE"}

(* A running job has one owner, and nobody else holds its fence. *)
OneOwner ==
    \A j \in Jobs :
        /\ (job[j].state = "RUNNING") = (job[j].owner # Nobody)
        /\ Cardinality({w \in Workers : worker[w].holds[j] = job[j].fence /\ job[j].fence > 0
                                        /\ job[j].state = "RUNNING"}) <= 1

(* Nobody's doubt is forgotten: a finished job has none. *)
DoubtSticks == \A j \in Jobs : job[j].state \in Finished => ~InDoubt(j)

(* What is recorded as happened has happened. *)
NothingMadeUp ==
    \A j \in Jobs : \A i \in DOMAIN tried[j] : tried[j][i].status = "HAPPENED" => deeds[j][tried[j][i].key] > 0

(* A done job has done everything. *)
NothingLost == \A j \in Jobs : job[j].state = "DONE" => \A p \in Places \ Ends : deeds[j][Key(j, p)] > 0

(* What a job began elsewhere has been ended there when the job is done or called off, unless a person gave up on that, or it was sent late. *)
NothingGoesOn ==
    \A j \in Jobs : job[j].state \in {"DONE", "CANCELLED"} /\ ~job[j].gaveUp =>
        \A p \in Begins : deeds[j][Key(j, p)] > 0 =>
            \/ \A e \in Ends : deeds[j][Key(j, e)] > 0
            \/ \E i \in Attempts(j, Key(j, p)) : tried[j][i].late

(* Fences only grow along a job's attempts. *)
FencesGrow ==
    \A j \in Jobs : \A i \in 1..(Len(tried[j]) - 1) : tried[j][i].fence <= tried[j][i + 1].fence

(* No effect happens twice in silence: never where keys are remembered; elsewhere only when somebody was frozen between its last check and its *)
(* send for so long that others took it for not happened.                                                                                  *)
NoSilentRepeat ==
    \A j \in Jobs : \A k \in Keys :
        /\ "remembers" \in contract[j][k[1]] => deeds[j][k] <= 1
        /\ deeds[j][k] > 1 => \E i \in Attempts(j, k) : tried[j][i].late

(* And then a person is told, as soon as whoever sent late has a reply or waits for it no longer; unless it dies before that. *)
RepeatsAreReported ==
    \A j \in Jobs : \A k \in Keys :
        /\ "remembers" \notin contract[j][k[1]]
        /\ deeds[j][k] > 1
        /\ \A i \in Attempts(j, k) : tried[j][i].late => tried[j][i].act \in {"TOLD", "OVER"}
        => k \in reported[j]

(* Too much to ask: one frozen worker is enough to break it. *)
NeverTwice == \A j \in Jobs : \A k \in Keys : deeds[j][k] <= 1

(* Finished work stays finished until a person wants otherwise. *)
FinishedStaysFinished ==
    [][\A j \in Jobs : job[j].state \in Finished /\ job'[j] # job[j] => left'.wishes < left.wishes]_vars

------------------------------------------------------------------------------
(* With nobody who only delays, every job is done at last. *)

Helpful(w, j) ==
    \/ Claim(w, j) /\ job[j].state = "READY"
    \/ \E p \in Places : Intends(w, j, p)
    \/ Ask(w, j, "PAUSED", 0) /\ \E p \in Places : contract[j][p] = {} /\ OpenOf(j, Key(j, p)) # {}
                  /\ \A i \in OpenOf(j, Key(j, p)) : tried[j][i].by # w \/ tried[j][i].act = "OVER"
    \/ \E more \in Fewer(j) : FinishJob(w, j, "DONE", more)

Act(j) == \E i \in DOMAIN tried[j] :
    \/ Check(j, i) \/ Stop(j, i) \/ Send(j, i) \/ Land(j, i)
    \/ tried[j][i].status # "OPEN" /\ GiveUp(j, i)
    \/ tried[j][i].act \notin {"INTENDED", "CHECKED"} /\ \E status \in {"HAPPENED", "NOT"} : AnswerAttempt(j, i, status, GoesOn(j, Answered(j, i, status)))
    \/ \E status \in {"OPEN", "LATE"} : AnswerAttempt(j, i, status, status = "OPEN" /\ job[j].state = "PAUSED")

Useful ==
    \/ \E w \in Workers : Enlist(w) \/ Watch(w) \/ (\E some \in SUBSET Jobs : TakeOver(w, {}, some)) \/ Thaw(w)
    \/ \E w \in Workers, j \in Jobs : Helpful(w, j)
    \/ \E j \in Jobs : Act(j) \/ SubmitJob(j) \/ Decides(j)

LiveNext == Useful \/ \E w \in Workers : Crash(w) \/ Freeze(w)

LiveSpec ==
    /\ Init /\ [][LiveNext]_vars
    /\ \A w \in Workers : WF_vars(Enlist(w)) /\ WF_vars(Watch(w)) /\ WF_vars(\E some \in SUBSET Jobs : TakeOver(w, {}, some)) /\ WF_vars(Thaw(w))
    /\ \A w \in Workers, j \in Jobs : WF_vars(Helpful(w, j))
    /\ \A j \in Jobs : WF_vars(Act(j)) /\ WF_vars(SubmitJob(j)) /\ WF_vars(Decides(j))

EveryJobIsDone == \A j \in Jobs : <>[](job[j].state = "DONE")

------------------------------------------------------------------------------
(* Two states are the same to whoever explores them when they differ only in what can no longer matter: how high fences are, as long as the *)
(* same ones are current; who made an attempt that is over, and how it got lost; where the requests of a job that has ended went; whether a job waits for  *)
(* its turn or for its time.                                                                                                              *)

ForEver(j) ==
    /\ job[j].state \in Finished /\ left.wishes = 0
    /\ \A i \in DOMAIN tried[j] : Over(tried[j][i]) /\ tried[j][i].net # "FLYING"
Acts(w) == \E j \in Jobs : \E i \in DOMAIN tried[j] : tried[j][i].by = w /\ ~Over(tried[j][i])
Grip(w, j) ==
    IF worker[w].holds[j] = 0 THEN "NONE"
    ELSE IF worker[w].holds[j] = job[j].fence /\ job[j].state = "RUNNING" THEN "CURRENT"
    ELSE IF FenceIsChecked THEN "NONE" ELSE "OLD"

AttemptView(a) ==
    IF Over(a) THEN <<a.key, a.status, a.act, a.net = "FLYING", a.late>>
    ELSE <<a.key, a.status, a.act, a.net, a.late, a.by>>
JobView(j) ==
    IF ForEver(j)
    THEN <<job[j].state, job[j].run, job[j].owes, job[j].gaveUp, contract[j], deeds[j], reported[j],
           [i \in DOMAIN tried[j] |-> <<tried[j][i].key, tried[j][i].status, tried[j][i].act, tried[j][i].late>>]>>
    ELSE <<IF job[j].state = "WAITING" THEN "READY" ELSE job[j].state, job[j].owner, job[j].off, job[j].run, job[j].owes, contract[j],
           [i \in DOMAIN tried[j] |-> AttemptView(tried[j][i])], deeds[j], reported[j]>>
WorkerView(w) ==
    IF (worker[w].at = "GONE" /\ ~Acts(w) /\ \A j \in Jobs : Grip(w, j) # "OLD") \/ (worker[w].life = "DEAD" /\ ~OwnsAny(w)) THEN "INERT"
    ELSE <<worker[w].at, worker[w].life, worker[w].watched, [j \in Jobs |-> Grip(w, j)]>>

SameToExplore == <<[j \in Jobs |-> JobView(j)], [w \in Workers |-> WorkerView(w)], left>>
=============================================================================
