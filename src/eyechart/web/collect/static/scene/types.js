// @ts-check
/**
 * The records of a scene and of the art, as other modules name them in their comments; nothing here runs.
 *
 * @typedef {[number, number]} Point
 * @typedef {[number, number, number, number]} Box left, top, right, bottom
 * @typedef {"human" | "animal" | "largeObject" | "smallObject" | "background"} Kind
 *
 * @typedef {object} Clip one thing in a scene; members are called as in the Python package
 * @property {string} name
 * @property {number} instance which of several equal ones
 * @property {number} x
 * @property {number} y
 * @property {number} depth from 0, nearest and largest, to 4
 * @property {boolean} flip
 * @property {number} variant type of an object
 * @property {number} pose of an animal
 * @property {number} style clothes of a person
 * @property {number} expression face of a person; 0 is blank
 * @property {number[]} turns radians by which each limb is turned against the one it hangs on
 * @property {(string | null)[]} colors colour of each slot, null for the drawing's own
 * @property {number} layer within a depth, larger ones are drawn first
 * @property {number} sublayer within a layer, larger ones are drawn first
 *
 * @typedef {object} Scene
 * @property {string} background
 * @property {number} variant which look of the background
 * @property {(string | null)[]} colors
 * @property {Clip[]} clips in any order
 *
 * @typedef {object} Slot
 * @property {string} name
 * @property {string} default
 * @property {string[]} colors
 *
 * @typedef {object} Form
 * @property {string} name
 * @property {string[]} slots the slots that it shows
 * @property {Point} base what it stands on
 * @property {Box} box what it draws lies within
 * @property {string} svg with {slot} where a colour goes; empty for people
 *
 * @typedef {object} Bone
 * @property {string} name
 * @property {number | null} parent
 * @property {Point} at
 * @property {number} low
 * @property {number} high
 * @property {[number, number, number][]} touch
 *
 * @typedef {{bone: number, at: Point, scale: number, svg: string}} Cut
 * @typedef {{points: [number, Point][], edge: number, slot: string}} Drape
 *
 * @typedef {object} Stencil one piece with all its drawings
 * @property {string} name
 * @property {Kind} kind
 * @property {string} label
 * @property {Slot[]} slots
 * @property {string[]} limbs
 * @property {Form[]} forms types of an object, poses of an animal, clothes of a person, looks of a background
 * @property {boolean} [flips]
 * @property {string} [skin] from here on: people only
 * @property {string[]} [expressions]
 * @property {Bone[]} [bones]
 * @property {Point[]} [ends] where one takes hold of each limb
 * @property {Record<string, number[]>} [poses]
 * @property {(Cut | Drape)[]} [cuts]
 * @property {number[][][]} [looks] what is drawn, by style and expression
 *
 * @typedef {object} Entry
 * @property {string} label
 * @property {Kind} kind
 * @property {string[]} scenes backgrounds where it is at home; everywhere if empty
 * @property {string[]} places
 *
 * @typedef {object} Place
 * @property {string} label
 * @property {boolean} indoors
 * @property {string[]} looks
 * @property {number[]} scales
 * @property {number[]} levels
 *
 * @typedef {object} Atlas
 * @property {Point} size
 * @property {number} depths
 * @property {Record<string, string>} style
 * @property {Record<string, string>} palette
 * @property {Record<string, Place>} backgrounds
 * @property {Record<string, Entry>} pieces
 */
export {};
