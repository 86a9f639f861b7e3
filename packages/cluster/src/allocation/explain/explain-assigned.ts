/**
 * Explanation of a copy that has a node: whether it may stay there, and whether another node would be better.
 */
import type { DiscoveryNode } from '@shoal/cluster-state';
import type { Verdict } from '../deciders/decider.ts';
import { decide, decideRebalance } from '../deciders/deciders.ts';
import {
  DECISION_WORDS,
  decidedNode,
  type ExplainView,
  type Json,
  nodeHead,
  ranking,
  shownDecisions,
} from './explained-node.ts';

interface Candidate {
  readonly node: DiscoveryNode;
  readonly decision: 'yes' | 'throttled' | 'worse_balance' | 'no';
  readonly rank: number;
}

/** Order of candidates in the answer. */
const BEST_FIRST: readonly Candidate['decision'][] = ['yes', 'throttled', 'worse_balance', 'no'];

export function explainAssigned(view: ExplainView, nodeId: string): Json {
  const { copy, round, state } = view;
  const node = state.nodes.get(nodeId);
  if (node === undefined) return { current_node: { id: nodeId } };
  if (copy.state !== 'STARTED') return { current_node: nodeHead(node), explanation: onItsWay(view, node) };
  const current_node = { ...nodeHead(node), weight_ranking: ranking(view, nodeId) };
  const remain = shownDecisions(view, decide('canRemain', round.input(copy, node)));
  if (!round.mayRemain(copy)) {
    return { current_node, can_remain_on_current_node: 'no', can_remain_decisions: remain, ...explainMove(view) };
  }
  return { current_node, can_remain_on_current_node: 'yes', ...explainRebalance(view, node) };
}

function onItsWay({ copy, state }: ExplainView, node: DiscoveryNode): string {
  const other = state.nodes.get(copy.relocatingNodeId ?? '')?.name ?? copy.relocatingNodeId;
  return copy.state === 'RELOCATING'
    ? `the shard is in the process of relocating from node [${node.name}] to node [${other}], wait until relocation has completed`
    : `the shard is in the process of initializing on node [${node.name}], wait until initialization has completed`;
}

function explainMove(view: ExplainView): Json {
  const refusal = view.round.moveRefusal(view.copy);
  const candidates = candidatesOf(view, () => true);
  const best = candidates[0]?.decision;
  const can = refusal === null ? movable(best) : 'no';
  const why = {
    yes: 'shard cannot remain on this node and is force-moved to another node',
    throttled: 'shard cannot remain on this node but is throttled on moving to another node',
    no: 'cannot move shard to another node, even though it is not allowed to remain on its current node',
  }[can];
  return {
    can_move_to_other_node: can,
    move_explanation: refusal === null ? why : `${why}: ${refusal}`,
    node_allocation_decisions: candidates.map((candidate) => candidateBody(view, candidate)),
  };
}

function explainRebalance(view: ExplainView, current: DiscoveryNode): Json {
  const { copy, round } = view;
  const verdict = round.rebalanceVerdict(copy);
  const refusal = round.moveRefusal(copy);
  const own = round.weight(copy, current.id) + 1;
  const isBetter = (node: DiscoveryNode): boolean =>
    verdict !== 'YES' || own - round.weight(copy, node.id) > round.balanceThreshold;
  const candidates = candidatesOf(view, isBetter);
  const best = candidates[0]?.decision;
  const isAllowed = verdict === 'YES' && refusal === null;
  const decisions = shownDecisions(view, decideRebalance(round.copyInput(copy)));
  return {
    can_rebalance_cluster: DECISION_WORDS[verdict],
    ...(decisions.length === 0 ? {} : { can_rebalance_cluster_decisions: decisions }),
    can_rebalance_to_other_node: verdict === 'THROTTLE' ? 'throttled' : isAllowed ? movable(best) : 'no',
    rebalance_explanation: refusal === null ? rebalanceText(verdict, best) : `rebalancing is not allowed: ${refusal}`,
    node_allocation_decisions: candidates.map((candidate) => candidateBody(view, candidate)),
  };
}

/** Whether the best candidate takes the copy. */
function movable(best: Candidate['decision'] | undefined): 'yes' | 'throttled' | 'no' {
  return best === 'yes' || best === 'throttled' ? best : 'no';
}

function rebalanceText(verdict: Verdict, best: Candidate['decision'] | undefined): string {
  switch (verdict) {
    case 'NO':
      return `rebalancing is not allowed${best === 'yes' ? ', even though there is at least one node on which the shard can be allocated' : ''}`;
    case 'THROTTLE':
      return 'rebalancing is throttled';
    default:
      if (best === 'yes') return 'can rebalance shard';
      return best === 'throttled'
        ? 'shard rebalancing throttled'
        : 'cannot rebalance as no target node exists that can both allocate this shard and improve the cluster balance';
  }
}

/** Other data nodes, the best first. */
function candidatesOf(view: ExplainView, isBetter: (node: DiscoveryNode) => boolean): readonly Candidate[] {
  const { copy, round } = view;
  return round.nodes
    .filter(({ id }) => id !== copy.nodeId)
    .map((node): Candidate => {
      const word = DECISION_WORDS[round.verdict(copy, node)];
      const decision = word === 'no' || isBetter(node) ? word : 'worse_balance';
      return { node, decision, rank: ranking(view, node.id) };
    })
    .sort((a, b) => BEST_FIRST.indexOf(a.decision) - BEST_FIRST.indexOf(b.decision) || a.rank - b.rank);
}

function candidateBody(view: ExplainView, { node, decision, rank }: Candidate): Json {
  const deciders = shownDecisions(view, decide('canAllocate', view.round.input(view.copy, node)));
  return {
    ...decidedNode(node),
    node_decision: decision,
    weight_ranking: rank,
    ...(deciders.length === 0 ? {} : { deciders }),
  };
}
