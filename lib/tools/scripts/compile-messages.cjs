const { default: compile } = require('icu-minify/compile')

const token = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g
const isValue = (text, start) => /:\s*$/.test(text.slice(Math.max(0, start - 80), start))

/**
 * A loader of the build: parses the messages of a file of words (ICU), so that the browser formats them without a parser.
 * Messages without values and tags stay as they are.
 */
module.exports = (source) =>
  source.replace(token, (literal, start) => {
    if (!/^['"]/.test(literal) || !isValue(source, start)) return literal
    // The source of this repository, so a literal may be evaluated.
    return JSON.stringify(compile(Function(`return ${literal}`)()))
  })
