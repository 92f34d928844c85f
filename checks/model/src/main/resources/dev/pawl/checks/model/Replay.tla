------------------------------- MODULE Replay -------------------------------
(* Nights of the simulation, replayed: every step that the code made must be a step of the model, and leave the job as the code left it. *)
EXTENDS Pawl, Stories

VARIABLES story, at

AllWorkers == 1..MostWorkers
AllJobs == 1..MostJobs
AllPlaces == 1..MostPlaces
Steps == Stories[story].steps
ContractOf(j, p) ==
    LET all == Stories[story].contracts IN
    IF j \in DOMAIN all /\ p \in DOMAIN all[j] THEN all[j][p] ELSE {}

ReplayInit ==
    /\ story \in DOMAIN Stories
    /\ at = 1
    /\ contract = [j \in Jobs |-> [p \in Places |-> ContractOf(j, p)]]
    /\ Init

Does(e) ==
    CASE e.do = "Enlist" -> Enlist(e.w)
      [] e.do = "Beat" -> Beat(e.w)
      [] e.do = "TakeOver" -> TakeOver(e.w, e.struck, e.some)
      [] e.do = "Retire" -> Retire(e.w)
      [] e.do = "Claim" -> Claim(e.w, e.j)
      [] e.do = "RecordStepIfOwned" -> RecordStepIfOwned(e.w, e.j, e.more)
      [] e.do = "KeepArtifactIfOwned" -> KeepArtifactIfOwned(e.w, e.j, e.more)
      [] e.do = "PassGateIfOwned" -> PassGateIfOwned(e.w, e.j)
      [] e.do = "CallIfOwned" -> IF e.child = 0 THEN RecordStepIfOwned(e.w, e.j, e.more) ELSE CallIfOwned(e.w, e.j, e.child, e.more)
      [] e.do = "IntendEffectIfOwned" -> IntendEffectIfOwned(e.w, e.j, e.p, e.pays, e.more)
      [] e.do = "ReleaseJob" -> ReleaseJob(e.w, e.j, e.state, e.more)
      [] e.do = "WaitAtGateIfOwned" -> WaitAtGateIfOwned(e.w, e.j, e.state, e.more)
      [] e.do = "Ask" -> Ask(e.w, e.j, e.state, e.more)
      [] e.do = "FinishJob" -> FinishJob(e.w, e.j, e.state, e.more)
      [] e.do = "AnswerAttempt" -> AnswerAttempt(e.j, e.i, e.status, e.fence # job[e.j].fence)
      [] e.do = "Send" -> Send(e.j, e.i)
      [] e.do = "Land" -> Land(e.j, e.i)
      [] e.do = "SubmitJob" -> SubmitJob(e.j)
      [] e.do = "Decide" -> Decide(e.j, e.said, e.state)
      [] e.do = "Deliver" -> Deliver(e.j)
      [] e.do = "CancelJob" -> CancelJob(e.j, e.fence # job[e.j].fence)
      [] e.do = "RetryJob" -> RetryJob(e.j, e.said)
      [] e.do = "ResubmitJob" -> ResubmitJob(e.j)
      [] e.do = "DiscardJob" -> DiscardJob(e.j, e.state = "CANCELLED")
      [] e.do = "OpenGate" -> OpenGate(e.j)
      [] e.do = "LimitQueue" -> LimitQueue
      [] e.do = "PruneJobs" -> PruneJobs
      [] e.do = "Look" -> UNCHANGED vars

(* The job is as the code left it. *)
AsSeen(e) == "state" \in DOMAIN e => job'[e.j].state = e.state /\ job'[e.j].fence = e.fence /\ job'[e.j].owes = e.owes

ReplayNext ==
    \/ /\ at <= Len(Steps)
       /\ Does(Steps[at])
       /\ AsSeen(Steps[at])
       /\ at' = at + 1
       /\ UNCHANGED story
    \/ /\ at > Len(Steps)
       /\ UNCHANGED <<vars, story, at>>

ReplaySpec == ReplayInit /\ [][ReplayNext]_<<vars, story, at>>
=============================================================================
