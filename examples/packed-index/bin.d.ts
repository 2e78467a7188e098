/** A bundle of a worker holds a `.bin` file as its bytes. */
declare module '*.bin' {
  const bytes: ArrayBuffer;
  export default bytes;
}
