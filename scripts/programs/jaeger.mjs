/**
 * The storage tests of Jaeger, from the Go module proxy, built into one program.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = 'plugin/storage/integration';
/** The tests ask a fixed address: it is read from the environment instead. */
const FIXED_ADDRESS = /^\t(?:host|queryPort|queryHostPort|queryURL) += .*\n/gm;
const ADDRESS = `package integration

import "os"

var (
	queryHostPort = os.Getenv("ES_HOST_PORT")
	queryURL      = "http://" + queryHostPort
)
`;
/** Each of their writers looks a thousand million times a second whether something waits: on few cores nothing else gets a turn. */
const FLUSH_INTERVAL = /time\.Nanosecond/g;
const ARGUMENTS = '\targs := []string{\n';
const SERVER_URLS = ['es', 'es-archive'].map((namespace) => `\t\t"--${namespace}.server-urls=" + queryURL,\n`).join('');

/**
 * Leaves `storage-tests` and the folder `source`, in which it runs.
 *
 * @param {string} module `path@version`
 * @param {string} home
 */
export function fetchJaeger(module, home) {
  const options = /** @type {const} */ ({ stdio: ['ignore', 'pipe', 'pipe'] });
  const { Dir: kept } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { ...options, cwd: home }));
  const source = join(home, 'source');
  cpSync(kept, source, { recursive: true });
  // What the module cache keeps cannot be written to.
  execFileSync('chmod', ['-R', 'u+w', source], options);
  const file = join(source, TESTS, 'elasticsearch_test.go');
  const text = readFileSync(file, 'utf8').replaceAll(FIXED_ADDRESS, '').replaceAll(FLUSH_INTERVAL, 'time.Millisecond');
  writeFileSync(file, text.replaceAll(ARGUMENTS, ARGUMENTS + SERVER_URLS));
  writeFileSync(join(source, TESTS, 'address_test.go'), ADDRESS);
  for (const other of ['es_index_cleaner_test.go', 'es_index_rollover_test.go']) rmSync(join(source, TESTS, other));
  execFileSync('go', ['test', '-c', '-o', join(home, 'storage-tests'), `./${TESTS}`], { ...options, cwd: source });
}
