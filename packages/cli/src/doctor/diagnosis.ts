/**
 * Findings about ports, put into words: what is wrong, and what to change. Pure.
 */
import type { NodeIdentity } from '@shoal/transport';
import type { PortFinding } from './port-probe.ts';

/** Whether a port was asked for as the HTTP or as the transport port. */
export type PortRole = 'http' | 'transport';

export interface Verdict {
  readonly isGood: boolean;
  readonly text: string;
  /** What to change; null when nothing is wrong. */
  readonly advice: string | null;
}

const good = (text: string): Verdict => ({ isGood: true, text, advice: null });
const bad = (text: string, advice: string): Verdict => ({ isGood: false, text, advice });

/** A verdict on a port that is no transport port of ours, or was not asked to be one. */
export function judgePort(role: PortRole, at: string, finding: PortFinding): Verdict {
  switch (finding.kind) {
    case 'unresolved':
      return bad(`${at}: the host name is not known here`, 'check the spelling, or name the address');
    case 'refused':
      return bad(
        `${at}: refused, nothing listens there`,
        'start the node, or check network.host: by default a node listens on loopback only',
      );
    case 'filtered':
      return bad(
        `${at}: no answer, the packets are dropped on the way`,
        'open the port in the firewall between this machine and that one',
      );
    case 'unreachable':
      return bad(`${at}: cannot be reached: ${finding.text}`, 'check the address and the route to it');
    case 'foreign':
      return bad(
        `${at}: something listens that is not a Shoal port${finding.text === '' ? '' : ` (it said ${JSON.stringify(finding.text)})`}`,
        'check which program holds the port, and the port in the settings',
      );
    case 'transport':
      return role === 'transport'
        ? good(`${at}: a Shoal transport port`)
        : bad(`${at}: this is a transport port, not HTTP`, 'send HTTP to http.port (9200 by default)');
    case 'http':
      return role === 'http'
        ? judgeHttp(at, finding.body)
        : bad(`${at}: HTTP answers on the transport port`, 'name transport.port (9300 by default) in seed hosts');
  }
}

function judgeHttp(at: string, body: string): Verdict {
  const match = /"shoal"\s*:\s*\{\s*"version"\s*:\s*"([^"]+)"/.exec(body);
  const cluster = /"cluster_name"\s*:\s*"([^"]+)"/.exec(body)?.[1];
  if (match === null) return bad(`${at}: HTTP, but not a Shoal node`, 'check which program holds the port');
  const hasJoined = !/"cluster_uuid"\s*:\s*"_na_"/.test(body);
  if (!hasJoined) {
    return bad(
      `${at}: Shoal ${match[1]}, cluster ${cluster}, which has not formed yet`,
      'the nodes do not reach each other on the transport port: ask about port 9300 of each of them',
    );
  }
  return good(`${at}: Shoal ${match[1]}, cluster ${cluster}`);
}

export interface ExpectedNode {
  readonly version: string;
  /** null: any name will do. */
  readonly clusterName: string | null;
}

/** Verdicts on what a node said of itself in the handshake. */
export function judgeIdentity(at: string, node: NodeIdentity, expected: ExpectedNode): readonly Verdict[] {
  const verdicts = [good(`${at}: node ${node.name} of cluster ${node.clusterName}, version ${node.version}`)];
  if (node.version !== expected.version) {
    verdicts.push(
      bad(
        `${at}: its version ${node.version} differs from ${expected.version} here`,
        'clients must have exactly the version of the nodes; nodes the same major version',
      ),
    );
  }
  if (expected.clusterName !== null && node.clusterName !== expected.clusterName) {
    verdicts.push(
      bad(
        `${at}: its cluster name ${node.clusterName} differs from ${expected.clusterName}`,
        'set the same cluster.name on every node',
      ),
    );
  }
  return verdicts;
}

/** A verdict on the address that a node tells the others, dialled from here. */
export function judgePublished(at: string, published: string, finding: PortFinding): Verdict {
  if (finding.kind === 'transport') return good(`${at}: publishes ${published}, which is reachable from here`);
  return bad(
    `${at}: publishes ${published}, which is not reachable from here (${finding.kind})`,
    'set network.publish_host on that node to an address that the other nodes reach',
  );
}
