/**
 * What `shoal why` does: asks a node, and prints each finding with its effect and what mends it.
 */
import pc from 'picocolors';
import { HttpApi, reasonOf } from '../http/http-api.ts';

export interface WhyOptions {
  readonly url: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface After {
  readonly status?: string;
  readonly unassigned_shards?: number;
  readonly refused?: string;
  readonly not_tried?: string;
}

interface MendAnswer {
  readonly command?: string;
  readonly does: string;
  readonly loses_data?: boolean;
  readonly after?: After;
}

interface FindingAnswer {
  readonly status: string;
  readonly reason: string;
  readonly effect: string;
  readonly indices?: readonly string[];
  readonly mends: readonly MendAnswer[];
}

interface WhyAnswer {
  readonly cluster_name: string;
  readonly status: string;
  readonly cluster_manager: string | null;
  readonly number_of_nodes: number;
  readonly findings: readonly FindingAnswer[];
  readonly after?: After;
}

/** Indices named on one line. */
const INDICES_SHOWN = 10;

export async function runWhy(index: string | null, { url, dryRun, json }: WhyOptions): Promise<void> {
  const api = new HttpApi(url);
  try {
    const path = `/_cluster/health/_why${index === null ? '' : `/${encodeURIComponent(index)}`}`;
    const { status, body } = await api.call({ method: 'GET', path: dryRun === true ? `${path}?dry_run=true` : path });
    if (status >= 400) throw new Error(reasonOf(body));
    const answer = body as WhyAnswer;
    process.stdout.write(json === true ? `${JSON.stringify(answer, null, 2)}\n` : shown(answer));
    if (answer.status !== 'green') process.exitCode = 1;
  } finally {
    api.close();
  }
}

function shown(answer: WhyAnswer): string {
  const manager = answer.cluster_manager === null ? 'no cluster manager' : `cluster manager ${answer.cluster_manager}`;
  const nodes = `${answer.number_of_nodes} node${answer.number_of_nodes === 1 ? '' : 's'}`;
  const head = `${coloured(answer.status)} cluster ${answer.cluster_name}, ${nodes}, ${manager}`;
  const after = answer.after === undefined ? [] : [`\nafter the first command of each: ${shownAfter(answer.after)}`];
  return `${[head, ...answer.findings.map(shownFinding), ...after].join('\n')}\n`;
}

function shownFinding({ status, reason, effect, indices = [], mends }: FindingAnswer): string {
  const more = indices.length > INDICES_SHOWN ? `, and ${indices.length - INDICES_SHOWN} more` : '';
  const of = indices.length === 0 ? '' : pc.dim(` (${indices.slice(0, INDICES_SHOWN).join(', ')}${more})`);
  return [
    `\n${coloured(status)} ${reason}.${of}`,
    `       ${effect}.`,
    ...mends.flatMap(({ command, does, loses_data: losesData, after }) => [
      `     ${pc.yellow('→')} ${command ?? does}${losesData === true ? pc.red('  gives up data') : ''}`,
      ...(command === undefined ? [] : [pc.dim(`       ${does}`)]),
      ...(after === undefined ? [] : [`       after it: ${shownAfter(after)}`]),
    ]),
  ].join('\n');
}

function shownAfter({ status, unassigned_shards: unassigned = 0, refused, not_tried: notTried }: After): string {
  if (refused !== undefined) return pc.red(`refused: ${refused}`);
  if (status === undefined) return `not tried: ${notTried ?? ''}`;
  return `${coloured(status).trim()}${unassigned === 0 ? '' : `, ${unassigned} copies without a node`}`;
}

function coloured(status: string): string {
  const paint = status === 'green' ? pc.green : status === 'yellow' ? pc.yellow : pc.red;
  return paint(status.padEnd(6));
}
