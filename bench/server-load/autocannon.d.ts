/** The part of autocannon that the load tests use; the package has no types. */
declare module 'autocannon' {
  export interface CannonRequest {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    /** Called before each request. */
    readonly setupRequest?: (request: CannonRequest) => CannonRequest;
    readonly onResponse?: (status: number, body: string) => void;
  }
  export interface CannonOptions {
    readonly url: string;
    readonly connections: number;
    /** Seconds; `amount` of requests instead of it. */
    readonly duration?: number;
    readonly amount?: number;
    /** Requests a second of all connections. */
    readonly overallRate?: number;
    readonly ignoreCoordinatedOmission?: boolean;
    /** Seconds. */
    readonly timeout?: number;
    readonly requests: readonly CannonRequest[];
  }
  export interface CannonResult {
    readonly errors: number;
    readonly timeouts: number;
    /** Seconds. */
    readonly duration: number;
  }
  export interface Cannon {
    on(
      event: 'response',
      listener: (client: unknown, status: number, bytes: number, ms: number) => void,
    ): void;
  }
  export default function autocannon(
    options: CannonOptions,
    done: (error: Error | null, result: CannonResult) => void,
  ): Cannon;
}
