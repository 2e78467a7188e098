/**
 * Reduces the bill of materials of `npm sbom` (CycloneDX 1.5) to what the tarball holds: its own
 * code, and the libraries that the build took into it, which npm counts as development.
 */

interface Property {
  readonly name: string;
}

export interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly properties?: readonly Property[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

export interface Bom {
  readonly bomFormat: string;
  readonly serialNumber?: string;
  readonly metadata: {
    readonly timestamp?: string;
    readonly lifecycles?: readonly { readonly phase: string }[];
    readonly component: Component;
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface Released {
  readonly name: string;
  /** SHA-256 of its tarball, in hexadecimal. */
  readonly sha256: string;
  /** The list of licences that the build writes. */
  readonly licences: string;
}

const DEVELOPMENT = 'cdx:npm:package:development';

/** Returns `NAME@VERSION` of each library that a list of licences names. */
export function bundledIn(licences: string): string[] {
  const lines = licences.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(.*?\), in \S/gm);
  return [...lines].map(([, name, version]) => `${name}@${version}`).sort();
}

/**
 * Returns the bill of one release, equal for equal releases: without serial number and time, which
 * CycloneDX leaves optional. Throws for a bundled library that the lock file does not hold.
 */
export function shippedBom(bom: Bom, { name, sha256, licences }: Released): Bom {
  const bundled = bundledIn(licences);
  const { serialNumber: _, ...rest } = bom;
  const { timestamp: __, ...metadata } = bom.metadata;
  const released = metadata.component;
  const shipped = new Set([released['bom-ref'], ...bundled]);
  return {
    ...rest,
    // npm names the folder of the checkout, and knows no build.
    metadata: {
      ...metadata,
      lifecycles: [{ phase: 'build' }],
      component: { ...released, name, hashes: [{ alg: 'SHA-256', content: sha256 }] },
    },
    components: bundled.map(ref => shippedComponent(bom, ref)),
    dependencies: bom.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn }) => ({
        ref,
        dependsOn:
          ref === released['bom-ref'] ? bundled : dependsOn.filter(other => shipped.has(other)),
      })),
  };
}

function shippedComponent({ components }: Bom, ref: string): Component {
  const found = components.find(component => component['bom-ref'] === ref);
  if (!found)
    throw new Error(
      `${ref} is bundled: expected it in package-lock.json, received other versions. Run npm ci.`,
    );
  const { properties = [] } = found;
  return { ...found, properties: properties.filter(({ name }) => name !== DEVELOPMENT) };
}
