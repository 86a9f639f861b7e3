/**
 * Messages of coordination between two nodes, over 9300. Elections and states ride `reg` and `state`, checks `ping`.
 *
 * A node that speaks here may change who leads: every number is bounded, and a state travels packed in a section so that
 * one buffer serves all targets.
 */

import { type DiscoveryNode, readDiscoveryNode, writeDiscoveryNode } from '@shoal/cluster-state';
import { assert, type ItemReader, ValueReader } from '@shoal/core';
import type { ActionCodec, WireBody } from '@shoal/transport';

/** The single vote of a node in a term. */
export interface JoinVote {
  readonly from: string;
  readonly to: string;
  readonly term: number;
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
}

export interface PeersMessage {
  readonly knownPeers: readonly DiscoveryNode[];
}

export interface PeersAnswer extends PeersMessage {
  readonly leader: DiscoveryNode | null;
  readonly term: number;
}

export interface PreVoteAnswer {
  readonly currentTerm: number;
  readonly acceptedTerm: number;
  readonly acceptedVersion: number;
}

export interface JoinMessage {
  readonly join: JoinVote | null;
  readonly minimumTerm: number;
  readonly committedClusterUuid: string | null;
}

/** A packed state (`full`), or a packed difference to the state that it names (`diff`). */
export interface StateMessage {
  readonly form: 'full' | 'diff';
  readonly bytes: Uint8Array;
}

export interface PublishAnswer {
  readonly term: number;
  readonly version: number;
  readonly join: JoinVote | null;
}

export interface CommitMessage {
  readonly term: number;
  readonly version: number;
}

const PEERS_MAX = 10_000;
const COUNTER_MAX = Number.MAX_SAFE_INTEGER;

export const REQUEST_PEERS: ActionCodec<PeersMessage, PeersAnswer> = {
  name: 'internal:discovery/request_peers',
  writeRequest: ({ knownPeers }) => ({ message: { knownPeers: knownPeers.map(writeDiscoveryNode) } }),
  readRequest: (body) => ({ knownPeers: reader(body).list('knownPeers', readDiscoveryNode, PEERS_MAX) }),
  writeResponse: ({ knownPeers, leader, term }) => ({
    message: {
      knownPeers: knownPeers.map(writeDiscoveryNode),
      leader: leader === null ? null : writeDiscoveryNode(leader),
      term,
    },
  }),
  readResponse: (body) => {
    const r = reader(body);
    return {
      knownPeers: r.list('knownPeers', readDiscoveryNode, PEERS_MAX),
      leader: r.optional('leader', readDiscoveryNode),
      term: counter(r, 'term'),
    };
  },
};

export const PRE_VOTE: ActionCodec<{ readonly currentTerm: number }, PreVoteAnswer> = {
  name: 'internal:cluster/request_pre_vote',
  writeRequest: ({ currentTerm }) => ({ message: { currentTerm } }),
  readRequest: (body) => ({ currentTerm: counter(reader(body), 'currentTerm') }),
  writeResponse: (answer) => ({ message: { ...answer } }),
  readResponse: (body) => {
    const r = reader(body);
    return {
      currentTerm: counter(r, 'currentTerm'),
      acceptedTerm: counter(r, 'acceptedTerm'),
      acceptedVersion: counter(r, 'acceptedVersion'),
    };
  },
};

/** Enter the term and vote for the candidate, which is the sender or the node that a leader hands over to. */
export const START_JOIN: ActionCodec<{ readonly term: number; readonly candidate: DiscoveryNode }, null> = {
  name: 'internal:cluster/coordination/start_join',
  writeRequest: ({ term, candidate }) => ({ message: { term, candidate: writeDiscoveryNode(candidate) } }),
  readRequest: (body) => {
    const r = reader(body);
    return { term: counter(r, 'term'), candidate: readDiscoveryNode(r.raw('candidate'), 'candidate') };
  },
  ...acknowledged(),
};

export const JOIN: ActionCodec<JoinMessage, null> = {
  name: 'internal:cluster/coordination/join',
  writeRequest: ({ join, minimumTerm, committedClusterUuid }) => ({
    message: { join: join === null ? null : writeVote(join, join.term), minimumTerm, committedClusterUuid },
  }),
  readRequest: (body) => {
    const r = reader(body);
    return {
      join: r.optional('join', readVote),
      minimumTerm: counter(r, 'minimumTerm'),
      committedClusterUuid: r.optionalString('committedClusterUuid'),
    };
  },
  ...acknowledged(),
};

export const VALIDATE_JOIN: ActionCodec<StateMessage, null> = {
  name: 'internal:cluster/coordination/join/validate',
  writeRequest: writeState,
  readRequest: readState,
  ...acknowledged(),
};

export const PUBLISH_STATE: ActionCodec<StateMessage, PublishAnswer> = {
  name: 'internal:cluster/coordination/publish_state',
  writeRequest: writeState,
  readRequest: readState,
  writeResponse: ({ term, version, join }) => ({
    message: { term, version, join: join === null ? null : writeVote(join, term) },
  }),
  readResponse: (body) => {
    const r = reader(body);
    return { term: counter(r, 'term'), version: counter(r, 'version'), join: r.optional('join', readVote) };
  },
};

export const COMMIT_STATE: ActionCodec<CommitMessage, null> = {
  name: 'internal:cluster/coordination/commit_state',
  writeRequest: ({ term, version }) => {
    assert(term > 0 && version > 0, `commit of ${term}/${version}, which nobody can have published`);
    return { message: { term, version } };
  },
  readRequest: (body) => {
    const r = reader(body);
    return { term: counter(r, 'term'), version: counter(r, 'version') };
  },
  ...acknowledged(),
};

export const FOLLOWER_CHECK: ActionCodec<{ readonly term: number }, null> = {
  name: 'internal:coordination/fault_detection/follower_check',
  writeRequest: ({ term }) => ({ message: { term } }),
  readRequest: (body) => ({ term: counter(reader(body), 'term') }),
  ...acknowledged(),
};

export const LEADER_CHECK: ActionCodec<null, null> = {
  name: 'internal:coordination/fault_detection/leader_check',
  writeRequest: () => ({ message: null }),
  readRequest: () => null,
  ...acknowledged(),
};

function reader(body: WireBody): ValueReader {
  return ValueReader.of(body.message);
}

function counter(r: ValueReader, field: string): number {
  return r.integer(field, 0, COUNTER_MAX);
}

/** A vote names its voter and a candidate, in the term that it is sent in, and what the voter accepted before it. */
function writeVote(vote: JoinVote, term: number): Record<string, unknown> {
  const { from, to, acceptedTerm, acceptedVersion } = vote;
  assert(from !== '' && to !== '', `a vote of [${from}] for [${to}]`);
  assert(vote.term === term, `a vote of term ${vote.term} goes out in term ${term}`);
  assert(acceptedTerm <= vote.term, `a vote of term ${vote.term} by a node that accepted ${acceptedTerm}`);
  return { from, to, term: vote.term, acceptedTerm, acceptedVersion };
}

const readVote: ItemReader<JoinVote> = (value, field) => {
  const r = ValueReader.of(value, field);
  return {
    from: r.string('from'),
    to: r.string('to'),
    term: counter(r, 'term'),
    acceptedTerm: counter(r, 'acceptedTerm'),
    acceptedVersion: counter(r, 'acceptedVersion'),
  };
};

function writeState({ form, bytes }: StateMessage): WireBody {
  assert(bytes.byteLength > 0, `a ${form} state without a byte`);
  return { message: { form }, sections: [bytes] };
}

function readState(body: WireBody): StateMessage {
  const r = reader(body);
  const form = r.oneOf('form', ['full', 'diff']);
  const bytes = body.sections?.[0];
  if (bytes === undefined || body.sections?.length !== 1) return r.refuse('form', 'one section with the packed state');
  return { form, bytes };
}

/** Writer and reader of an answer that only says "done". */
function acknowledged(): Pick<ActionCodec<unknown, null>, 'writeResponse' | 'readResponse'> {
  return { writeResponse: () => ({ message: null }), readResponse: () => null };
}
