/** A refusal of the API in the reader's language; `detail`: what the API says beyond it, in English. */
type ToldFault = { text: string; detail?: string }
export type TellFault = (fault: { code: string; message: string }) => ToldFault
