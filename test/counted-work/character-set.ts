/** A set of characters as a regular expression writes it, asked of the engine once a character. */

const nativeExec = RegExp.prototype.exec;
const known = new Map<string, CharacterSet>();

const [UNKNOWN, IN, OUT] = [0, 1, 2];

export class CharacterSet {
  private readonly basic = new Uint8Array(0x10000);
  private readonly rest = new Map<number, boolean>();
  private readonly native: RegExp;

  /** `raw`: a character, an escape or a class. */
  static of(raw: string, flags: string): CharacterSet {
    const key = `${flags.replace(/[gydm]/g, '')}/${raw}`;
    let found = known.get(key);
    if (!found) {
      found = new CharacterSet(new RegExp(`^(?:${raw})$`, flags.replace(/[gydm]/g, '')));
      known.set(key, found);
    }
    return found;
  }

  private constructor(native: RegExp) {
    this.native = native;
  }

  has(point: number): boolean {
    if (point < 0x10000) {
      if (this.basic[point] === UNKNOWN) this.basic[point] = this.asked(point) ? IN : OUT;
      return this.basic[point] === IN;
    }
    let found = this.rest.get(point);
    if (found === undefined) {
      found = this.asked(point);
      this.rest.set(point, found);
    }
    return found;
  }

  private asked(point: number): boolean {
    return nativeExec.call(this.native, String.fromCodePoint(point)) !== null;
  }
}
