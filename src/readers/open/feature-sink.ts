/** Declares the function that takes the features of a span. */
export type AddFeature = (name: string, value: number | boolean) => void;
