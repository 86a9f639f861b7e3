/**
 * Carries the messages of coordination over 9300: the core's requests out, those of others in.
 *
 * Every request out ends in exactly one event, at its deadline at the latest; every request in ends in one answer.
 */

import { headerOf } from '@shoal/cluster';
import { type ClusterState, type DiscoveryNode, discoveryNodeOf } from '@shoal/cluster-state';
import {
  type AcceptedState,
  type CoordinationEffect,
  type CoordinationEvent,
  type CoordRequest,
  type CoordResponse,
  UNHEALTHY,
} from '@shoal/consensus';
import {
  assert,
  isAssertionFailure,
  isShoalError,
  messageOf,
  rejectedExecution,
  ShoalError,
  unreachable,
} from '@shoal/core';
import {
  COMMIT_STATE,
  FOLLOWER_CHECK,
  JOIN,
  LEADER_CHECK,
  PRE_VOTE,
  PUBLISH_STATE,
  REQUEST_PEERS,
  START_JOIN,
  type StateMessage,
  VALIDATE_JOIN,
} from '@shoal/protocol';
import { type Runtime, TimeSlices } from '@shoal/runtime';
import {
  type Connection,
  handleWith,
  type InboundRequest,
  requestWith,
  type SendOptions,
  type Transport,
} from '@shoal/transport';
import type { NodeConnections } from '../connections/node-connections.ts';
import type { ReceivedStates } from '../service/cluster-service.ts';
import { causeOf } from './failure-cause.ts';
import { INCOMPATIBLE_STATE, PublicationBytes, readStateMessage } from './publication-bytes.ts';

type SendEffect = Extract<CoordinationEffect<ClusterState>, { readonly kind: 'send' }>;

export interface MessengerHost {
  feed(event: CoordinationEvent<ClusterState>): void;
  /** The last state that this node accepted: what a difference must start from. */
  acceptedState(): ClusterState;
  /** Fast path of checks: true when one may be answered without the queue. */
  acceptsFollowerCheck(from: string, term: number): boolean;
  /** What the core will hear too, behind the disk write that it waits for. */
  isHealthy(): boolean;
  /** A join was refused: that of `node` here, or, where it is not incoming, that of this node there. */
  joinRefused(node: DiscoveryNode, reason: string, isIncoming: boolean): void;
  fatal(error: unknown): void;
}

/** A request of another node that waits for the core. */
interface Waiting {
  readonly kind: CoordRequest<ClusterState>['kind'];
  readonly from: DiscoveryNode;
  resolve(response: CoordResponse): void;
  reject(error: ShoalError): void;
}

/** Requests of others that wait for the core. More are refused. */
const WAITING_MAX = 20_000;
/** States that wait to be read. One is on its way from each node that leads or wants to: more are refused. */
const READING_MAX = 256;

export class CoordinationMessenger {
  readonly #runtime: Runtime;
  readonly #connections: NodeConnections;
  readonly #host: MessengerHost;
  readonly #bytes: PublicationBytes;
  readonly #slices: TimeSlices;
  /** Resolves when the state that is being read is read. */
  #reading: Promise<void> = Promise.resolve();
  /** States that are being read or wait for it. */
  #readingCount = 0;
  readonly #waiting = new Map<number, Waiting>();
  #lastReplyTo = 0;
  readonly #received = { full: 0, compatibleDiffs: 0, incompatibleDiffs: 0 };

  constructor(runtime: Runtime, transport: Transport, connections: NodeConnections, host: MessengerHost) {
    this.#runtime = runtime;
    this.#slices = new TimeSlices(runtime.sched, runtime.clock);
    this.#bytes = new PublicationBytes(this.#slices);
    this.#connections = connections;
    this.#host = host;
    this.#register(transport);
  }

  get receivedStates(): ReceivedStates {
    return { ...this.#received };
  }

  send(effect: SendEffect): void {
    const { requestId, timeoutMs } = effect;
    let isSettled = false;
    const settle = (event: CoordinationEvent<ClusterState>): void => {
      if (isSettled) return;
      isSettled = true;
      stopTimer();
      this.#host.feed(event);
    };
    const stopTimer = this.#runtime.sched.after(timeoutMs, () =>
      settle({ kind: 'requestFailed', requestId, cause: 'timeout', reason: `no answer within ${timeoutMs}ms` }),
    );
    this.#deliver(effect).then(
      (response) => settle({ kind: 'response', requestId, response }),
      (error: unknown) => {
        if (isAssertionFailure(error)) return this.#host.fatal(error);
        const { to, request } = effect;
        if (request.kind === 'join') this.#host.joinRefused(to, textOf(error), false);
        settle({ kind: 'requestFailed', requestId, cause: causeOf(error), reason: textOf(error) });
      },
    );
  }

  reply(replyTo: number, response: CoordResponse): void {
    // The asker may be gone, and its entry with it.
    this.#waiting.get(replyTo)?.resolve(response);
  }

  refuse(replyTo: number, reason: string): void {
    const waiting = this.#waiting.get(replyTo);
    if (waiting?.kind === 'join') this.#host.joinRefused(waiting.from, reason, true);
    waiting?.reject(refused(reason));
  }

  /** This node is not healthy any more: checks that wait for the core are not answered behind a disk that hangs. */
  refuseChecks(): void {
    for (const { kind, reject } of [...this.#waiting.values()]) {
      if (kind === 'followerCheck' || kind === 'leaderCheck') reject(refused(UNHEALTHY));
    }
  }

  /** This node does not lead any more. */
  forgetFollowers(): void {
    this.#bytes.forget();
  }

  async #deliver({ to, channel, timeoutMs, request }: SendEffect): Promise<CoordResponse> {
    const connection = await this.#connections.open(to);
    const options: SendOptions = { channel, timeoutMs };
    switch (request.kind) {
      case 'requestPeers':
        return { kind: 'peers', ...(await requestWith(connection, REQUEST_PEERS, request, options)) };
      case 'preVote':
        return { kind: 'preVote', ...(await requestWith(connection, PRE_VOTE, request, options)) };
      case 'startJoin':
        await requestWith(connection, START_JOIN, request, options);
        return ACK;
      case 'join':
        await requestWith(connection, JOIN, request, options);
        return ACK;
      case 'joinValidate':
        await requestWith(connection, VALIDATE_JOIN, await this.#bytes.full(request.state.value), options);
        return ACK;
      case 'publish':
        return await this.#publish(connection, to, request.state.value, options);
      case 'applyCommit':
        await requestWith(connection, COMMIT_STATE, request, options);
        return ACK;
      case 'followerCheck':
        await requestWith(connection, FOLLOWER_CHECK, request, options);
        return ACK;
      case 'leaderCheck':
        await requestWith(connection, LEADER_CHECK, null, options);
        return ACK;
      default:
        return unreachable(request);
    }
  }

  async #publish(
    connection: Connection,
    to: DiscoveryNode,
    state: ClusterState,
    options: SendOptions,
  ): Promise<CoordResponse> {
    const message = await this.#bytes.forNode(to, state);
    const answer = await requestWith(connection, PUBLISH_STATE, message, options).catch(async (error: unknown) => {
      if (message.form !== 'diff' || !isShoalError(error) || error.type !== INCOMPATIBLE_STATE) throw error;
      return requestWith(connection, PUBLISH_STATE, await this.#bytes.full(state), options);
    });
    this.#bytes.accepted(to, state);
    return { kind: 'publish', ...answer };
  }

  #register(transport: Transport): void {
    handleWith(transport, REQUEST_PEERS, async ({ knownPeers }, inbound) => {
      const response = await this.#ask(inbound, { kind: 'requestPeers', knownPeers });
      assert(response.kind === 'peers', `answer ${response.kind} to requestPeers`);
      return response;
    });
    handleWith(transport, PRE_VOTE, async ({ currentTerm }, inbound) => {
      const response = await this.#ask(inbound, { kind: 'preVote', currentTerm });
      assert(response.kind === 'preVote', `answer ${response.kind} to preVote`);
      const { currentTerm: term, acceptedTerm, acceptedVersion } = response;
      return { currentTerm: term, acceptedTerm, acceptedVersion };
    });
    handleWith(transport, START_JOIN, (message, inbound) =>
      this.#acknowledged(inbound, { kind: 'startJoin', ...message }),
    );
    handleWith(transport, JOIN, (message, inbound) => this.#acknowledged(inbound, { kind: 'join', ...message }));
    handleWith(transport, VALIDATE_JOIN, async (message, inbound) => {
      checkSender(inbound, 'joinValidate');
      return this.#acknowledged(inbound, { kind: 'joinValidate', state: await this.#read(message) });
    });
    handleWith(transport, PUBLISH_STATE, async (message, inbound) => {
      checkSender(inbound, 'publish');
      const response = await this.#ask(inbound, { kind: 'publish', state: await this.#readPublished(message) });
      assert(response.kind === 'publish', `answer ${response.kind} to publish`);
      return response;
    });
    handleWith(transport, COMMIT_STATE, ({ term, version }, inbound) =>
      this.#acknowledged(inbound, { kind: 'applyCommit', term, version }),
    );
    handleWith(transport, FOLLOWER_CHECK, async ({ term }, inbound) => {
      this.#refuseUnhealthy();
      if (this.#host.acceptsFollowerCheck(inbound.from.nodeId, term)) return null;
      return this.#acknowledged(inbound, { kind: 'followerCheck', term });
    });
    handleWith(transport, LEADER_CHECK, async (_message, inbound) => {
      this.#refuseUnhealthy();
      return this.#acknowledged(inbound, { kind: 'leaderCheck' });
    });
  }

  /** Checks are refused at once: a disk that hangs holds the core up, and with it every answer that the core would give. */
  #refuseUnhealthy(): void {
    if (!this.#host.isHealthy()) throw refused(UNHEALTHY);
  }

  /** Large states are read one after the other, in slices: in between the node answers checks, searches and writes. */
  async #read(message: StateMessage): Promise<AcceptedState<ClusterState>> {
    if (this.#readingCount >= READING_MAX) {
      throw rejectedExecution(`rejected execution of a state of [${message.bytes.byteLength}] bytes: too many wait`);
    }
    this.#readingCount++;
    const reading = this.#reading.then(async () => {
      // What was accepted meanwhile is what a difference must start from.
      const value = await this.#slices.run(readStateMessage(message, this.#host.acceptedState()), null);
      return { ...headerOf(value), value };
    });
    // Whoever reads next waits for the end of it, and has nothing to do with how it ended.
    const end = (): void => {
      this.#readingCount--;
    };
    this.#reading = reading.then(end, end);
    return reading;
  }

  /** A published state, counted by its form. */
  async #readPublished(message: StateMessage): Promise<AcceptedState<ClusterState>> {
    try {
      const state = await this.#read(message);
      if (message.form === 'full') this.#received.full++;
      else this.#received.compatibleDiffs++;
      return state;
    } catch (error) {
      if (isShoalError(error) && error.type === INCOMPATIBLE_STATE) this.#received.incompatibleDiffs++;
      throw error;
    }
  }

  async #acknowledged(inbound: InboundRequest, request: CoordRequest<ClusterState>): Promise<null> {
    await this.#ask(inbound, request);
    return null;
  }

  #ask(inbound: InboundRequest, request: CoordRequest<ClusterState>): Promise<CoordResponse> {
    checkSender(inbound, request.kind);
    if (this.#waiting.size >= WAITING_MAX) {
      throw rejectedExecution(`rejected execution of coordination request [${request.kind}]: too many wait`);
    }
    const replyTo = ++this.#lastReplyTo;
    return new Promise<CoordResponse>((resolve, reject) => {
      const from = discoveryNodeOf(inbound.from);
      this.#waiting.set(replyTo, { kind: request.kind, from, resolve, reject });
      inbound.signal.onCancel(() => reject(new ShoalError('node_disconnected_exception', 500, 'the sender is gone')));
      this.#host.feed({ kind: 'request', from, replyTo, request });
    }).finally(() => this.#waiting.delete(replyTo));
  }
}

/** Requests of nodes that do not vote either; the others come from those that may lead. */
const OF_ANY_MEMBER: ReadonlySet<CoordRequest<unknown>['kind']> = new Set(['requestPeers', 'join', 'leaderCheck']);

/** Refuses who takes no part in coordination, or not this one, before anything is unpacked for it. */
function checkSender({ from }: InboundRequest, request: CoordRequest<unknown>['kind']): void {
  if (from.kind === 'node' && (OF_ANY_MEMBER.has(request) || from.roles.includes('cluster_manager'))) return;
  if (from.kind === 'node_client' && OF_ANY_MEMBER.has(request)) return;
  throw new ShoalError('security_exception', 403, `a [${from.kind}] of roles [${from.roles}] sends no [${request}]`);
}

const ACK: CoordResponse = { kind: 'ack' };

function refused(reason: string): ShoalError {
  return new ShoalError('coordination_state_rejected_exception', 500, reason);
}

function textOf(error: unknown): string {
  return messageOf(error);
}
