package parquet

import (
	"github.com/bitsieve/bitsieve"
)

// The footer: FileMetaData of parquet.thrift. Of its structs only what follows is
// decoded, and all else read over.
//
//	FileMetaData    2 schema, 3 num_rows, 4 row_groups, 6 created_by, 8 encryption_algorithm
//	SchemaElement   1 type, 2 type_length, 4 name, 5 num_children
//	RowGroup        1 columns, 3 num_rows
//	ColumnChunk     1 file_path, 3 meta_data, 8 crypto_metadata, 9 encrypted_column_metadata
//	ColumnMetaData  1 type, 3 path_in_schema, 5 num_values,
//	                14 bloom_filter_offset, 15 bloom_filter_length

const (
	// maxNesting bounds the depth of a schema.
	maxNesting = 128
	// signatureBytes is what follows a plain footer of a file with encrypted columns: a
	// nonce and a tag, which only who has the key can check.
	signatureBytes = 12 + 16
)

// A footer is what a File keeps of it: a few words for each element of the schema and
// each column chunk, so that what a hostile footer costs is in proportion to its size.
type footer struct {
	rows      int64
	createdBy string
	nodes     []node // of the schema, a parent before its children; the first is the root
	columns   []Column
	groups    []int64 // the rows of each
	chunks    []Chunk // row group after row group, each with as many as there are columns
}

// A node is an element of the schema.
type node struct {
	name   string
	parent int32
}

// footer reads a footer, of which d has all.
func (d *decoder) footer(out *footer) {
	d.what = "footer"
	groups := field{} // whose elements need the schema, which in theory may follow
	behind := 0       // how many bytes follow the footer
	for f := (field{}); d.next(&f); d.what = "footer" {
		switch f.id {
		case 2:
			d.what = "schema"
			if out.nodes != nil {
				d.fail(bitsieve.ErrHeader, f.start, "is there twice")
			}
			d.schema(f, out)
		case 3:
			d.what = "num_rows"
			out.rows = d.int64(f)
		case 4:
			groups = f
			d.skip(f)
		case 6:
			d.what = "created_by"
			out.createdBy = string(d.binary(f))
		case 8:
			behind = signatureBytes
			d.skip(f)
		default:
			d.skip(f)
		}
	}
	if d.err != nil {
		return
	}
	if n := len(d.buf) - d.pos; n != behind {
		d.fail(bitsieve.ErrTrailingData, d.pos, "is followed by %d bytes, want %d", n, behind)
	}
	if out.nodes == nil {
		d.what = "schema"
		d.fail(bitsieve.ErrHeader, 0, "is missing")
	}
	if groups.id != 0 && d.err == nil {
		d.pos = groups.start
		d.rowGroups(groups, out)
	}
}

// schema reads the list of the schema's elements: the tree from the root, depth first.
func (d *decoder) schema(f field, out *footer) {
	type level struct {
		node int32 // whose children come
		left int64 // how many
	}
	var open [maxNesting]level
	depth := 0
	n := d.list(f, kindStruct)
	out.nodes = make([]node, 0, n)
	for i := 0; i < n && d.err == nil; i++ {
		d.what = "schema"
		for depth > 0 && open[depth-1].left == 0 {
			depth--
		}
		start := d.pos
		parent := int32(-1)
		if i > 0 {
			if depth == 0 {
				d.fail(bitsieve.ErrHeader, start, "has element %d outside its root", i)
				return
			}
			parent = open[depth-1].node
			open[depth-1].left--
		}
		name, column, children := d.schemaElement()
		if d.err != nil {
			return
		}
		out.nodes = append(out.nodes, node{name, parent})
		switch {
		case children > 0 || i == 0:
			if depth == maxNesting {
				d.fail(bitsieve.ErrHeader, start, "is nested more than %d deep", maxNesting)
				return
			}
			open[depth] = level{int32(i), children}
			depth++
		case column.Type >= 0:
			column.node = int32(i)
			out.columns = append(out.columns, column)
		}
	}
	d.what = "schema"
	for ; depth > 0; depth-- {
		if left := open[depth-1].left; left > 0 {
			d.fail(bitsieve.ErrHeader, f.start, "lacks %d children of element %d", left, open[depth-1].node)
		}
	}
	if n == 0 {
		d.fail(bitsieve.ErrHeader, f.start, "is empty")
	}
}

// schemaElement reads an element of the schema. A group has no type: -1.
func (d *decoder) schemaElement() (name string, c Column, children int64) {
	c.Type = -1
	for f := (field{}); d.next(&f); d.what = "schema" {
		switch f.id {
		case 1:
			d.what = "schema: type"
			c.Type = d.columnType(f)
		case 2:
			d.what = "schema: type_length"
			c.Length = int(d.int32(f))
		case 4:
			d.what = "schema: name"
			name = string(d.binary(f))
		case 5:
			d.what = "schema: num_children"
			children = int64(d.int32(f))
			if children < 0 {
				d.fail(bitsieve.ErrHeader, f.start, "is %d", children)
			}
		default:
			d.skip(f)
		}
	}
	return name, c, children
}

// columnType reads a Type.
func (d *decoder) columnType(f field) Type {
	t := Type(d.int32(f))
	if d.err == nil && !t.valid() {
		d.fail(bitsieve.ErrHeader, f.start, "is %d, want 0 to %d", int32(t), len(typeNames)-1)
	}
	return t
}

// rowGroups reads the list of the row groups.
func (d *decoder) rowGroups(f field, out *footer) {
	d.what = "row_groups"
	n := d.list(f, kindStruct)
	if room := len(d.buf) - d.pos; len(out.columns) > 0 && n > room/len(out.columns) {
		d.fail(bitsieve.ErrTruncated, len(d.buf), "are %d, of %d columns, in %d bytes", n, len(out.columns), room)
		return
	}
	out.groups = make([]int64, 0, n)
	out.chunks = make([]Chunk, 0, n*len(out.columns))
	for i := 0; i < n && d.err == nil; i++ {
		before := len(out.chunks)
		rows := d.rowGroup(out)
		if d.err == nil && len(out.chunks)-before != len(out.columns) {
			d.what = "row group"
			d.fail(bitsieve.ErrHeader, d.pos, "%d has %d columns, the schema %d", i, len(out.chunks)-before, len(out.columns))
		}
		out.groups = append(out.groups, rows)
	}
}

// rowGroup reads a row group and returns its number of rows.
func (d *decoder) rowGroup(out *footer) (rows int64) {
	d.what = "row group"
	first := len(out.chunks)
	for f := (field{}); d.next(&f); d.what = "row group" {
		switch f.id {
		case 1:
			d.what = "columns"
			n := d.list(f, kindStruct)
			if n > len(out.columns) || len(out.chunks) > first {
				d.fail(bitsieve.ErrHeader, f.start, "are %d, the schema has %d", n, len(out.columns))
			}
			for i := 0; i < n && d.err == nil; i++ {
				out.chunks = append(out.chunks, d.chunk(out, i))
			}
		case 3:
			d.what = "row group: num_rows"
			rows = d.int64(f)
		default:
			d.skip(f)
		}
	}
	return rows
}

// chunk reads a ColumnChunk.
func (d *decoder) chunk(out *footer, column int) (c Chunk) {
	d.what = "column chunk"
	for f := (field{}); d.next(&f); d.what = "column chunk" {
		switch f.id {
		case 1:
			d.what = "file_path"
			c.Elsewhere = len(d.binary(f)) > 0
		case 3:
			if d.want(f, kindStruct) {
				d.metaData(out, column, &c)
			}
		case 8, 9:
			c.Encrypted = true
			d.skip(f)
		default:
			d.skip(f)
		}
	}
	return c
}

// metaData reads a ColumnMetaData.
func (d *decoder) metaData(out *footer, column int, c *Chunk) {
	d.what = "meta_data"
	for f := (field{}); d.next(&f); d.what = "meta_data" {
		switch f.id {
		case 1:
			d.what = "meta_data: type"
			if t := d.columnType(f); d.err == nil && t != out.columns[column].Type {
				d.fail(bitsieve.ErrHeader, f.start, "is %v, the schema says %v", t, out.columns[column].Type)
			}
		case 3:
			d.what = "path_in_schema"
			d.checkPath(f, out, column)
		case 5:
			d.what = "num_values"
			c.Values = d.int64(f)
		case 14:
			d.what = "bloom_filter_offset"
			c.FilterOffset = d.int64(f)
			if c.FilterOffset < 0 {
				d.fail(bitsieve.ErrHeader, f.start, "is %d", c.FilterOffset)
			}
		case 15:
			d.what = "bloom_filter_length"
			c.FilterLength = int64(d.int32(f))
			if c.FilterLength < 0 {
				d.fail(bitsieve.ErrHeader, f.start, "is %d", c.FilterLength)
			}
		default:
			d.skip(f)
		}
	}
}

// checkPath reads the path of a column chunk, which must be that of the column in the
// schema: chunks are told apart by their order.
func (d *decoder) checkPath(f field, out *footer, column int) {
	var path [maxNesting + 1]int32
	depth := 0
	for n := out.columns[column].node; n > 0; n = out.nodes[n].parent {
		path[depth] = n
		depth++
	}
	n := d.list(f, kindBinary)
	if d.err == nil && n != depth {
		d.fail(bitsieve.ErrHeader, f.start, "has %d names, the schema %d", n, depth)
	}
	for i := 0; i < n && d.err == nil; i++ {
		start := d.pos
		name, want := d.take(d.varint()), out.nodes[path[depth-1-i]].name
		if d.err == nil && string(name) != want {
			d.fail(bitsieve.ErrHeader, start, "has %.100q, the schema %.100q", name, want)
		}
	}
}
