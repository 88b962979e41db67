/** Parses `1,22,333` without a string for each number. */
export function numbersIn(text: string): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(text === '' ? 0 : commasIn(text) + 1)
  let index = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === COMMA) index += 1
    else numbers[index] = (numbers[index] ?? 0) * 10 + (code - ZERO)
  }
  return numbers
}

const COMMA = 44
const ZERO = 48

function commasIn(text: string): number {
  let commas = 0
  for (let at = text.indexOf(','); at >= 0; at = text.indexOf(',', at + 1)) commas += 1
  return commas
}
