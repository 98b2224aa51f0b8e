package tests

// goldenBlocked holds the digests of TestBlockedGolden.
var goldenBlocked = map[string]string{
	"k=1 keyed=false":  "813eebfb3efd74e6",
	"k=1 keyed=true":   "6c10e483c3053818",
	"k=12 keyed=false": "bd739b7185d0e7c7",
	"k=12 keyed=true":  "5947215ba9561da3",
	"k=15 keyed=false": "eaea3099d1e90de1",
	"k=15 keyed=true":  "17145f5d232a94ee",
	"k=16 keyed=false": "603cb9d81aa51469",
	"k=16 keyed=true":  "20710ab464f94d2f",
	"k=2 keyed=false":  "c56a83a4bddcc49a",
	"k=2 keyed=true":   "0afe31f6b3832328",
	"k=5 keyed=false":  "2a59771f2057630a",
	"k=5 keyed=true":   "edcd12e906e9ebbf",
	"k=6 keyed=false":  "1c5921e6f9287e5e",
	"k=6 keyed=true":   "bff9426512aef20c",
	"k=7 keyed=false":  "3f49593b7127c2cb",
	"k=7 keyed=true":   "d257b4ceaf3b9c59",
	"k=8 keyed=false":  "de8703ee4a0ed455",
	"k=8 keyed=true":   "a01e68b8986b6477",
	"k=9 keyed=false":  "78bb3ec45558dfae",
	"k=9 keyed=true":   "ff7b61110f324d26",
}
