/**
 * What `shoal doctor` does: asks every port from here, and prints what it finds with an advice.
 */
import { type HostPort, messageOf, parseHostPort, SHOAL_VERSION, showHostPort } from '@shoal/core';
import { createNodeRuntime, createPinoLog } from '@shoal/runtime';
import { type NodeIdentity, startTransport } from '@shoal/transport';
import pc from 'picocolors';
import { judgeIdentity, judgePort, judgePublished, type PortRole, type Verdict } from './diagnosis.ts';
import { probePort } from './port-probe.ts';

const TRANSPORT_PORT = 9300;
const HANDSHAKE_TIMEOUT_MS = 3_000;

export interface DoctorOptions {
  readonly clusterName?: string;
  readonly httpPort: string;
}

export async function runDoctor(hosts: readonly string[], options: DoctorOptions): Promise<void> {
  const identities: NodeIdentity[] = [];
  const verdicts: Verdict[] = [];
  for (const text of hosts) {
    const { host, port } = parseHost(text);
    if (port === null) verdicts.push(await examinePort('http', host, Number(options.httpPort)));
    verdicts.push(
      ...(await examineNode(
        host,
        port ?? TRANSPORT_PORT,
        options.clusterName ?? identities[0]?.clusterName ?? null,
        identities,
      )),
    );
  }
  for (const verdict of verdicts) {
    process.stdout.write(`${verdict.isGood ? pc.green('ok  ') : pc.red('bad ')} ${verdict.text}\n`);
    if (verdict.advice !== null) process.stdout.write(`       ${pc.yellow('→')} ${verdict.advice}\n`);
  }
  if (verdicts.some((verdict) => !verdict.isGood)) process.exitCode = 1;
}

function parseHost(text: string): HostPort {
  const address = parseHostPort(text);
  if (address === null) throw new Error(`expected HOST or HOST:PORT, found [${text}]`);
  return address;
}

async function examinePort(role: PortRole, host: string, port: number): Promise<Verdict> {
  return judgePort(role, showHostPort({ host, port }), await probePort(host, port));
}

async function examineNode(
  host: string,
  port: number,
  clusterName: string | null,
  found: NodeIdentity[],
): Promise<readonly Verdict[]> {
  const at = showHostPort({ host, port });
  const finding = await probePort(host, port);
  if (finding.kind !== 'transport') return [judgePort('transport', at, finding)];
  let node: NodeIdentity;
  try {
    node = await askIdentity(host, port);
  } catch (error) {
    const text = messageOf(error);
    return [
      {
        isGood: false,
        text: `${at}: a Shoal transport port, but the handshake failed: ${text}`,
        advice: 'compare the versions of the nodes',
      },
    ];
  }
  found.push(node);
  const published = showHostPort(node.address);
  return [
    ...judgeIdentity(at, node, { version: SHOAL_VERSION, clusterName }),
    judgePublished(at, published, await probePort(node.address.host, node.address.port)),
  ];
}

/** The handshake of a probe: any node answers it, whatever its version and cluster. */
async function askIdentity(host: string, port: number): Promise<NodeIdentity> {
  const runtime = createNodeRuntime({ log: createPinoLog({ level: 'error', destination: 'stderr' }) });
  const transport = await startTransport(runtime, {
    bind: null,
    identity: {
      nodeId: 'doctor',
      ephemeralId: 'doctor',
      name: 'doctor',
      clusterName: '',
      version: SHOAL_VERSION,
      roles: [],
      kind: 'probe',
      attributes: {},
      httpAddress: null,
    },
  });
  try {
    const connection = await transport.connect(
      { host, port },
      { kind: 'probe', connectTimeoutMs: HANDSHAKE_TIMEOUT_MS, handshakeTimeoutMs: HANDSHAKE_TIMEOUT_MS },
    );
    connection.close('asked');
    return connection.node;
  } finally {
    await transport.close();
  }
}
