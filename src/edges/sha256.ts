/** SHA-256 of a UTF-8 text or of bytes, in hexadecimal. */
import { hash } from 'node:crypto';

export const sha256 = (content: string | Uint8Array): string => hash('sha256', content, 'hex');
