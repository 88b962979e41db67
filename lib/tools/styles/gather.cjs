const { readFileSync } = require('node:fs')

/** One file in place of these `files`, which refer to no others. */
module.exports = function gather() {
  return this.getOptions()
    .files.map((file) => readFileSync(file, 'utf8'))
    .join('\n')
}
