/** A translation has every message of the English words, and no other. */
export type TranslationOf<T> = {
  readonly [Key in keyof T]: T[Key] extends string ? string : TranslationOf<T[Key]>
}

/** A refusal of the API in the reader's language. `detail`: the API's details of this case, in English. */
export type TranslateFault = (fault: { code: string; message: string }) => { text: string; detail?: string }
