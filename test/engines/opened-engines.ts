/** Opens engines on a server, and closes them with all that they hold deleted. */
import type { Document } from '../../src/core/corpus/document.ts';
import { freeCall } from '../../src/core/trace/call.ts';
import { ServerPlace } from '../../src/session/places/server-place.ts';
import type { RemoteEngine, RemoteEngineOptions } from '../../src/stores/servers/remote-engine.ts';
import type { Law } from '../../src/testing/law.ts';
import type { MakePlace } from '../../src/testing/place-laws.ts';

export interface KindOfServer {
  /** Returns the address of an engine that does not exist yet. */
  readonly newAddress: (server: string) => string;
  readonly open: (url: string, options: RemoteEngineOptions) => Promise<RemoteEngine>;
  /** Deletes what the engines of these addresses hold. */
  readonly drop: (server: string, urls: readonly URL[]) => Promise<void>;
}

export class EnginesOnServer {
  private readonly server: string;
  private readonly kind: KindOfServer;
  private readonly opened: { readonly engine: AsyncDisposable; readonly url: string }[] = [];

  constructor(server: string, kind: KindOfServer) {
    [this.server, this.kind] = [server, kind];
  }

  async open(options: RemoteEngineOptions = {}, url?: string): Promise<RemoteEngine> {
    const address = url ?? this.kind.newAddress(this.server);
    const engine = await this.kind.open(address, options);
    this.opened.push({ engine, url: address });
    return engine;
  }

  /** Returns the address of an engine that something else makes. */
  newUrl(): string {
    const url = this.kind.newAddress(this.server);
    this.opened.push({ engine: { async [Symbol.asyncDispose]() {} }, url });
    return url;
  }

  /** Opens places for their laws. */
  readonly place: MakePlace = async () => {
    const url = this.kind.newAddress(this.server);
    const open = async (): Promise<ServerPlace> => {
      const place = new ServerPlace(url);
      this.opened.push({ engine: place, url });
      return place;
    };
    return { place: await open(), again: open };
  };

  async holding(
    documents: readonly Document[],
    options: RemoteEngineOptions = {},
    url?: string,
  ): Promise<RemoteEngine> {
    const engine = await this.open(options, url);
    if (documents.length > 0) await engine.put(documents, freeCall());
    return engine;
  }

  async close(): Promise<void> {
    const gone = this.opened.splice(0);
    for (const { engine } of gone) await engine[Symbol.asyncDispose]();
    if (gone.length > 0)
      await this.kind.drop(
        this.server,
        gone.map(({ url }) => new URL(url)),
      );
  }

  /** Returns laws that close what they opened: many leave snapshots open. */
  closing(laws: readonly Law[]): Law[] {
    return laws.map(({ name, run: check }) => ({
      name,
      run: async () => {
        try {
          await check();
        } finally {
          await this.close();
        }
      },
    }));
  }
}
