/** SHA-256 of a UTF-8 text, in hexadecimal; comes in as a port because the core imports nothing. */
export type Hash = (text: string) => string;
