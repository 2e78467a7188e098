/** Declares what a server of models is opened with. */
import type { ReplyRoom } from '../models/reply-room.ts';
import type { LoadLibrary } from '../platform/optional-package.ts';
import type { RequestOptions } from './ai-language-call.ts';
import type { EndpointOptions } from './endpoint.ts';
import type { GenerationLimits } from './generation-limits.ts';
import type { HttpLimits } from './http-exchange.ts';

export interface ServerModel extends Omit<EndpointOptions, 'limits'>, ReplyRoom {
  /** Its name on the server. */
  readonly model: string;
  readonly limits?: Partial<HttpLimits & GenerationLimits> | undefined;
  readonly load?: LoadLibrary | undefined;
  /** Further fields of each request to a language model. */
  readonly options?: RequestOptions | undefined;
}
