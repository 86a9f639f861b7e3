/**
 * Environments of Jest whose `shoal` is a node of the file or of the run.
 *
 * An environment, and no hooks: Jest runs files of tests in a sandbox in which CommonJS cannot load a module, while an environment is loaded
 * outside of it. So tests need no flag of Node.js, whatever they are written in.
 */
import { LeasedNode } from './leased-node.ts';
import { PreparedNode, type RunnerOptions } from './prepared-node.ts';

/** What is needed of an environment of Jest, whichever it is. */
export interface JestEnvironment {
  readonly global: object;
  setup(): Promise<void>;
  teardown(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a class that is extended takes any arguments, by the rules of TypeScript.
export type JestEnvironmentClass = new (...args: any[]) => JestEnvironment;

/** An environment whose global `shoal` is a node of the file (`ShoalNode`). Each test begins in the same state. */
export function withShoal<T extends JestEnvironmentClass>(environment: T, options: RunnerOptions = {}): T {
  return withNode(environment, {
    start: () => PreparedNode.start(options),
    shown: ({ node }) => node,
    end: (prepared) => prepared.close(),
  });
}

/** An environment whose global `shoal` is a node of the run (`ShoalOfRun`). Each test begins in the same state. */
export function withShoalOfRun<T extends JestEnvironmentClass>(environment: T): T {
  return withNode(environment, {
    start: () => LeasedNode.lease(),
    shown: ({ url }) => ({ url }),
    end: (leased) => leased.release(),
  });
}

interface Life<N> {
  readonly start: () => Promise<N>;
  readonly shown: (node: N) => object;
  readonly end: (node: N) => Promise<void>;
}

interface JestEvent {
  readonly name: string;
}

function withNode<T extends JestEnvironmentClass, N extends { beginTest(): Promise<void> }>(
  environment: T,
  { start, shown, end }: Life<N>,
): T {
  return class extends environment {
    #node: N | null = null;

    override async setup(): Promise<void> {
      await super.setup();
      this.#node = await start();
      Reflect.set(this.global, 'shoal', shown(this.#node));
    }

    /** Jest waits for it: a test begins, and its hooks, when this has ended. */
    async handleTestEvent(event: JestEvent, state: unknown): Promise<void> {
      if (event.name === 'test_start') await this.#node?.beginTest();
      const inherited: unknown = Reflect.get(environment.prototype, 'handleTestEvent');
      if (typeof inherited === 'function') await inherited.call(this, event, state);
    }

    override async teardown(): Promise<void> {
      const node = this.#node;
      this.#node = null;
      if (node !== null) await end(node);
      await super.teardown();
    }
  };
}
