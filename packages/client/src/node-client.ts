/**
 * A client that joins the cluster as a node without roles: it gets every cluster state, so its requests go straight to the
 * shards that hold the data, and its searches are merged in this process. It holds no data, never votes, and has no HTTP port.
 */
import type { ClientRequest, ClientResponse } from '@shoal/protocol';
import type { JoinedNode, NodeClientOptions } from './join-cluster.ts';
import { TypedClient } from './typed-client.ts';

export class NodeClient extends TypedClient {
  readonly #node: JoinedNode;

  private constructor(node: JoinedNode) {
    super();
    this.#node = node;
  }

  /**
   * Resolves when the node has joined.
   *
   * @throws master_not_discovered_exception when it could not within `initialStateTimeoutMs`; the message and the cause say
   *   what each seed did
   */
  static async start(options: NodeClientOptions): Promise<NodeClient> {
    const { joinCluster } = await import('./join-cluster.ts');
    return new NodeClient(await joinCluster(options));
  }

  /** Id of this client in `_nodes`. */
  get nodeId(): string {
    return this.#node.nodeId;
  }

  override close(): Promise<void> {
    return this.#node.close();
  }

  protected override execute(request: ClientRequest): Promise<ClientResponse> {
    return this.#node.execute(request);
  }
}
