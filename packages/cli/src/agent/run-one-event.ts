/**
 * Runs an agent for one event, all of it in the calling thread: a build does so to keep what V8 compiled meanwhile, as compiling the functions that a
 * start calls takes longer than to run them. No product code calls it.
 */
import { devNull } from 'node:os';
import { startAgent } from '@shoal/pipeline-agent';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';

/** What most pipelines do: a pattern, a date, types of fields, lines of JSON. */
const configOf = (
  output: string,
): string => `input { generator { count => 1 message => '127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-"' } }
filter {
  grok { match => { "message" => "%{COMBINEDAPACHELOG}" } }
  date { match => ["timestamp", "dd/MMM/yyyy:HH:mm:ss Z"] }
  if "_grokparsefailure" not in [tags] { mutate { convert => { "bytes" => "integer" } remove_field => ["timestamp"] } }
}
output { file { path => '${output}' codec => json_lines } }`;

/** @param output absolute path of the file that gets the event */
export async function runOneEvent(output: string = devNull): Promise<void> {
  const runtime = createNodeRuntime({ log: createSilentLog() });
  const settings = {
    'config.string': configOf(output),
    'pipeline.workers': 1,
    'path.data': 'data',
    'api.http.port': 0,
  };
  const agent = await startAgent(runtime, { settings, environment: {}, hostName: 'localhost' });
  await agent.finished;
  await agent.stop();
}
